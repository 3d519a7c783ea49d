/** Nouns of the built-in topics, by the topic's key; German words that follow "Lieblings" and words of other languages stand as they are said. */
export const BUILT_IN_NOUNS: Readonly<Record<string, readonly string[]>> = {
  favorite_colors: lines(`
    color, colors, colour, colours, farbe, farben, color, colores, couleur, couleurs, coloris
    颜色, 顏色, 色彩, 颜色的, 色`),
  favorite_cryptos: lines(`
    crypto, cryptos, crypto coin, crypto coins, cryptocoin, cryptocoins, cryptocurrency, cryptocurrencies, crypto currency
    crypto currencies, crypto-currency, crypto-currencies, crypto token, crypto tokens, altcoin, altcoins
    krypto, kryptos, kryptowährung, kryptowährungen, kryptowaehrung, kryptowaehrungen, kryptocoin, kryptocoins
    cripto, criptos, criptomoneda, criptomonedas, criptodivisa, criptodivisas
    cryptomonnaie, cryptomonnaies, crypto-monnaie, crypto-monnaies, monnaie crypto, monnaies cryptos
    加密货币, 加密貨幣, 虚拟货币, 虛擬貨幣, 数字货币, 數字貨幣, 币种`),
  favorite_tv: lines(`
    tv, tvs, tv show, tv shows, t.v. show, t.v. shows, tv-show, tv-shows, television show, television shows, show, shows
    tv series, television series, series, serie, tv program, tv programs, tv programme, tv programmes, television program
    television programs, television programme, television programmes, tvshow, tvshows, sitcom series, show on tv, shows on tv
    fernsehserie, fernsehserien, serien, tv-serie, tv-serien, tv serie, tv serien, fernsehsendung, fernsehsendungen
    tv-sendung, tv-sendungen, tv sendung, tv sendungen, fernsehshow, fernsehshows, tv-show, tv-shows
    serie de tv, series de tv, serie de televisión, series de televisión, programa de tv, programas de tv
    programa de televisión, programas de televisión, serie televisiva, series televisivas
    série, séries, série tv, séries tv, série télé, séries télé, série télévisée, séries télévisées, émission, émissions
    émission de télé, émissions de télé, émission télé, émissions télé
    电视剧, 電視劇, 电视节目, 電視節目, 剧集, 劇集, 电视剧集, 连续剧, 連續劇, 剧, 电视, 電視`),
  favorite_candies: lines(`
    candy, candies, candy bar, candy bars, sweet, sweets, sweetie, sweeties
    süßigkeit, süßigkeiten, suessigkeit, suessigkeiten, süssigkeit, süssigkeiten, bonbon, bonbons, nascherei, naschereien
    dulce, dulces, golosina, golosinas, caramelo, caramelos, chuchería, chucherías, chuche, chuches
    friandise, friandises, sucrerie, sucreries, confiserie, confiseries
    糖果, 糖, 零食糖果`),
};

function lines(text: string): string[] {
  return text.split(/[,\n]/).flatMap((noun) => (noun.trim() === "" ? [] : [noun.trim()]));
}
