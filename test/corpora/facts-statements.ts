/**
 * Messages of users, and the ranked lists that they state. A label names a list by its topic: `favorite_colors = Blue | Green` is whole
 * from rank 1, `favorite_colors 3 = purple` says single ranks; lists of several topics are separated by " ; ". Every person is invented.
 */
export type StatementCorpus = Readonly<Record<Language, { read: Readonly<Record<string, string>>; notRead: readonly string[] }>>;
export type Language = "en" | "de" | "es" | "fr" | "zh";

/** Written before the rules were tuned. */
export const FITTED: StatementCorpus = {
  en: {
    read: {
      "My favorite colors are 1) Blue, 2) Green, 3) Black": "favorite_colors = Blue | Green | Black",
      "my favourite colours are 1. blue 2. green 3. black": "favorite_colors = blue | green | black",
      "My favorite colors are #1 blue, #2 green and #3 black.": "favorite_colors = blue | green | black",
      "my fav colors: 1 blue 2 green 3 red": "favorite_colors = blue | green | red",
      "My favorite cryptos are:\n1. Bitcoin\n2. Ethereum\n3. Solana": "favorite_cryptos = Bitcoin | Ethereum | Solana",
      "My favorite cryptos are:\n\n- Bitcoin\n- Ethereum\n- Solana\n\nWhat do you think?":
        "favorite_cryptos = Bitcoin | Ethereum | Solana",
      "My favorite candies:\n* Skittles\n* Snickers\n* Twix": "favorite_candies = Skittles | Snickers | Twix",
      "my favorite tv shows •Breaking Bad •The Wire •Dark": "favorite_tv = Breaking Bad | The Wire | Dark",
      "## My favorite colors\n1. Blue\n2. Green\n3. Black": "favorite_colors = Blue | Green | Black",
      "### My Favorite TV Shows\n\n1. **The Wire**\n2. **Breaking Bad**\n3. **Fargo** (obviously)":
        "favorite_tv = The Wire | Breaking Bad | Fargo",
      "**My favorite candies:**\n1. Skittles [M1]\n2. Snickers [M2]\n3. Twix [M1]":
        "favorite_candies = Skittles | Snickers | Twix",
      "My favorite colors are 1) Blue [M1], 2) Green [M2], 3) ## Black": "favorite_colors = Blue | Green | Black",
      "my favorite colors are blue, then green, then black": "favorite_colors = blue | green | black",
      "My favorite color is blue, then green, and then black.": "favorite_colors = blue | green | black",
      "my favorite candy is skittles, followed by snickers, followed by twix": "favorite_candies = skittles | snickers | twix",
      "Blue is my favorite color, followed by green and then black.": "favorite_colors = Blue | green | black",
      "bitcoin is my favorite crypto, followed by eth": "favorite_cryptos = bitcoin | eth",
      "My favorite colors are blue first, green second, and black third.": "favorite_colors = blue | green | black",
      "favorite colors of mine? nah kidding. my favorite colors are, in order: teal, navy, maroon":
        "favorite_colors = teal | navy | maroon",
      "My favorite colors in order are teal, navy and maroon.": "favorite_colors = teal | navy | maroon",
      "In order, my favorite candies are Mars, Twix, and Bounty.": "favorite_candies = Mars | Twix | Bounty",
      "my favorite colors are teal, navy, maroon, in that order": "favorite_colors = teal | navy | maroon",
      "my favorite colors (in order) are red, orange, pink": "favorite_colors = red | orange | pink",
      "My favorite tv shows ranked: Severance, Dark, Lost": "favorite_tv = Severance | Dark | Lost",
      "My top 3 favorite colors are blue, green, and black.": "favorite_colors = blue | green | black",
      "my top three tv shows are The Wire, Dark and Fargo": "favorite_tv = The Wire | Dark | Fargo",
      "my top 3 cryptos: 1. BTC 2. ETH 3. SOL": "favorite_cryptos = BTC | ETH | SOL",
      "my favorite colors are blue > green > black": "favorite_colors = blue | green | black",
      "my fav candies: skittles > m&ms > twix lol": "favorite_candies = skittles | m&ms | twix",
      "my third favorite color is purple": "favorite_colors 3 = purple",
      "My #2 candy is Skittles.": "favorite_candies 2 = Skittles",
      "my number one crypto is monero": "favorite_cryptos 1 = monero",
      "my 2nd fav color is teal btw": "favorite_colors 2 = teal",
      "Actually, my second favorite color is now purple!": "favorite_colors 2 = purple",
      "My fourth favorite TV show is The Office (US).": "favorite_tv 4 = The Office (US)",
      "purple is my third favorite color": "favorite_colors 3 = purple",
      "Skittles are my second favorite candy, because they're sour.": "favorite_candies 2 = Skittles",
      "My favorite color is blue, my second favorite is green, and my third favorite is red.":
        "favorite_colors 1 = blue 2 = green 3 = red",
      "my favorite colors are: first blue, second green, third black": "favorite_colors = blue | green | black",
      "My favorite colors: first is blue, second is green, and third is black.": "favorite_colors = blue | green | black",
      "my favorite cryptos: number one is bitcoin, number two is ethereum, number three is cardano":
        "favorite_cryptos = bitcoin | ethereum | cardano",
      "My favorite candies are 1️⃣ Skittles 2️⃣ Twix 3️⃣ Mars": "favorite_candies = Skittles | Twix | Mars",
      "My favorite colors are １）Blue ２）Green ３）Black": "favorite_colors = Blue | Green | Black",
      "my favorite colors are ① blue ② green ③ black": "favorite_colors = blue | green | black",
      "My favorite board games are 1) Catan 2) Azul 3) Wingspan": "favorite_board_games = Catan | Azul | Wingspan",
      "my favorite board game is Catan, then Azul": "favorite_board_games = Catan | Azul",
      "My favorite movies are 1. Heat 2. Alien 3. Terminator 2 4. Blade Runner 2049":
        "favorite_movies = Heat | Alien | Terminator 2 | Blade Runner 2049",
      "My favorite cities:\n1. Lisbon - the light!\n2. Kyoto - temples\n3. Oslo": "favorite_cities = Lisbon | Kyoto | Oslo",
      "my favorite books are:\n1) The Hobbit, by Tolkien\n2) Dune\n3) Emma":
        "favorite_books = The Hobbit, by Tolkien | Dune | Emma",
      'My favorite movies are 1) "Heat", 2) "Alien", 3) "Dune"': "favorite_movies = Heat | Alien | Dune",
      "My favorite bands are 1) Crosby, Stills & Nash, 2) The Who, 3) Tool.":
        "favorite_bands = Crosby, Stills & Nash | The Who | Tool",
      "My favorite programming languages are:\n1. `rust`\n2. `go`\n3. `python`":
        "favorite_programming_languages = rust | go | python",
      "My favorite colors are 1) blue 2) green 3) black. What are yours?": "favorite_colors = blue | green | black",
      "Hey! Long day. Anyway, you asked about tastes: my favorite colors are 1) blue, 2) green, 3) black. Tomorrow I have a dentist appointment at 9, and then I drive to my parents.":
        "favorite_colors = blue | green | black",
      "I moved to Denver last year and started painting again, mostly watercolor. The studio is tiny but it has good light.\n\nSince you asked, my favorite colors are:\n\n1. Cobalt\n2. Ochre\n3. Sage\n\nI buy them from a small shop near the river, and they always throw in a free brush. Next week I want to try oils.":
        "favorite_colors = Cobalt | Ochre | Sage",
      "My favorite colors are 1) Blue 2) Green. My favorite candies are 1) Skittles 2) Mars.":
        "favorite_colors = Blue | Green ; favorite_candies = Skittles | Mars",
      "my favorite colors are 1. red 2. gold and my favorite cryptos are 1. bitcoin 2. pax gold":
        "favorite_colors = red | gold ; favorite_cryptos = bitcoin | pax gold",
      "My favorite tv show colors are 1) teal 2) orange": "favorite_tv_show_colors = teal | orange",
      "My favorite candy colors are 1) red 2) green": "favorite_candy_colors = red | green",
      "My favorite Candy Crush levels are 1) 65 Hell 2) Lollipop Garden":
        "favorite_candy_crush_levels = 65 Hell | Lollipop Garden",
      "My favorite color TVs are 1) the Trinitron 2) the Bravia": "favorite_color_tvs = the Trinitron | the Bravia",
      "my favorite tv shows are 1) The Color Purple 2) Candy 3) Crypto": "favorite_tv = The Color Purple | Candy | Crypto",
      "My favorite candies are 1) gold coins 2) Color Pops 3) TV Mix": "favorite_candies = gold coins | Color Pops | TV Mix",
      "My favorites:\nColors: 1. Blue 2. Green\nCandies: 1. Skittles 2. Mars":
        "favorite_colors = Blue | Green ; favorite_candies = Skittles | Mars",
      "Here is my list of favorite candies:\n1. Reese's\n2. Kit Kat\n3. Milky Way":
        "favorite_candies = Reese's | Kit Kat | Milky Way",
      "Here are my all-time favorite TV shows:\n\n1) The Sopranos\n2) Mad Men\n3) Twin Peaks":
        "favorite_tv = The Sopranos | Mad Men | Twin Peaks",
      "These are my 3 favorite cryptos in order of preference: ada, dot, xmr": "favorite_cryptos = ada | dot | xmr",
      "favorite colors: 1) mint 2) coral": "favorite_colors = mint | coral",
      "I think my favorite colors are 1) lilac 2) beige": "favorite_colors = lilac | beige",
      "I told you already, my favorite colors are 1) lilac 2) beige!!": "favorite_colors = lilac | beige",
      "ok so my favourite colour is green, and then yellow, and then brown 🙂": "favorite_colors = green | yellow | brown",
      "3. black 2. green 1. blue — those are just numbers. my favorite colors are 3) black 2) green 1) blue":
        "favorite_colors = blue | green | black",
      "my favorite colors are 2) green and 3) black": "favorite_colors 2 = green 3 = black",
      "| rank | color |\nMy favorite colors:\n| 1 | Blue |\n| 2 | Green |": "favorite_colors = Blue | Green",
      "my favorite foods are 1. Sushi 2. Tacos 3. Mom's lasagna": "favorite_foods = Sushi | Tacos | Mom's lasagna",
      "My favorite types of candy are 1) gummies 2) licorice": "favorite_candies = gummies | licorice",
      "My favorite sweets are 1) fudge 2) toffee": "favorite_candies = fudge | toffee",
      "My favourite programmes are 1) Panorama 2) Horizon": "favorite_programs = Panorama | Horizon",
      "My favorite cryptocurrencies are 1st: BTC, 2nd: ETH, 3rd: DOGE": "favorite_cryptos = BTC | ETH | DOGE",
      "my favorite colors are 1-blue 2-green 3-black": "favorite_colors = blue | green | black",
      "My favorite shows are (1) Lost (2) Dark (3) Fringe": "favorite_tv = Lost | Dark | Fringe",
      "my favorite colours:\nfirst: blue\nsecond: green\nthird: black": "favorite_colors = blue | green | black",
      "my favorite colors are\n1. blue, it calms me\n2. green, like the woods": "favorite_colors = blue | green",
      "idk if you remember but my favorite candies are 1) mars 2) twix": "favorite_candies = mars | twix",
      "My favorite color is blue, then green. My favorite candy is Mars, then Twix.":
        "favorite_colors = blue | green ; favorite_candies = Mars | Twix",
      "My favorite colors are 1. Blue because of the sea, 2. Green because of trees, 3. Black":
        "favorite_colors = Blue | Green | Black",
    },
    notRead: [
      "My favorite colors are blue, green and black.",
      "my favorite color is blue",
      "I like blue, then green, then black.",
      "My favorite colors are not 1) Blue, 2) Green, 3) Black",
      "My favorite colors aren't 1) blue and 2) green",
      "my favorite color isn't blue, then green",
      "My second favorite color isn't purple.",
      "my second favorite color is not purple",
      "If my favorite colors were 1) blue 2) green, what would my aura be?",
      "Suppose my favorite colors are 1) blue 2) green 3) black.",
      "imagine my favorite candies are 1. mars 2. twix. What would you bake?",
      "My favorite colors would be 1) blue 2) green if I could see them.",
      "What if my second favorite color is red?",
      "Pretend that my favorite tv shows are 1) Lost 2) Dark.",
      "let's say my favorite cryptos are 1) btc 2) eth",
      "Are my favorite colors 1) blue 2) green 3) black?",
      "Is my second favorite color green?",
      "is blue my second favorite color?",
      "My favorite colors are 1) blue 2) green, right?",
      'She said "my favorite colors are 1) pink 2) white".',
      "He said: my favorite colors are 1) pink 2) white",
      "“My favorite colors are 1) pink, 2) white,” said Tom.",
      "> My favorite colors are 1) pink 2) white\n\nWhat do you make of this reply?",
      "```\nmy favorite colors are 1) pink 2) white\n```",
      "Bob's favorite colors are 1) Blue 2) Green",
      "His favorite candies are 1) Mars 2) Twix",
      "My wife's favorite colors are 1) blue 2) green",
      "our team's favorite colors are 1) blue 2) green",
      "Your favorite colors are 1) blue 2) green",
      "My least favorite colors are 1) brown 2) beige",
      "my favorite colors used to be 1) pink 2) purple",
      "My favorite candies were 1) Nerds 2) Dots",
      "When I was a kid my favorite candies were 1. Nerds 2. Dots",
      "My favorite colors for the living room are 1) sage 2) cream",
      "The top 3 cryptos are 1) BTC 2) ETH 3) SOL",
      "The largest cities are 1. Tokyo 2. Delhi 3. Shanghai",
      "my top 3 priorities are 1) sleep 2) work 3) gym",
      "To do:\n1. Buy milk\n2. Call mom\n3. Paint the fence blue",
      "1) Blue 2) Green 3) Black",
      "First, open the app. Second, pick a color. Third, save.",
      "You could say: my favorite colors are 1) blue 2) green",
      "Translate into French: my favorite colors are 1) blue 2) green",
      "Write a poem in which a frog says my favorite colors are 1) green 2) brown.",
      "my favorite color is blue, then I went home",
      "My second favorite color might be red.",
      "I don't think my favorite colors are 1) blue 2) green",
      "My favorite team's colors are 1) blue 2) white",
      "my favorite colors and candies are 1) blue 2) mars",
      "my favorite colors are 1) blue 2) green. Just kidding!",
      "My favorite things are 1) naps 2) snacks",
      "what are my favorite colors?",
      "list my favorite colors: first, second and third",
      "My second cousin is Anna.",
      "my first car was a Civic, then a Golf, then a Volvo",
      "My last tv show was Dark.",
      "Fix the grammar: 'My favorite color are 1) blue 2) green'",
      "My favorite colors are TBD.",
      "According to Anna, my favorite colors are 1) red 2) blue, which is wrong.",
      "I wish my favorite colors were 1) red 2) blue",
      "my favorite cryptos by market cap are 1) BTC 2) ETH",
    ],
  },
  de: {
    read: {
      "Meine Lieblingsfarben sind 1. Blau, 2. Grün, 3. Schwarz": "favorite_colors = Blau | Grün | Schwarz",
      "meine lieblingsfarben: 1) blau 2) grün 3) schwarz": "favorite_colors = blau | grün | schwarz",
      "Meine Lieblingsserien sind:\n1. Dark\n2. Babylon Berlin\n3. Tatortreiniger":
        "favorite_tv = Dark | Babylon Berlin | Tatortreiniger",
      "Meine Lieblingsfarbe ist Blau, dann Grün, dann Schwarz.": "favorite_colors = Blau | Grün | Schwarz",
      "Meine Lieblingsfarbe ist Blau, gefolgt von Grün und dann Schwarz.": "favorite_colors = Blau | Grün | Schwarz",
      "Blau ist meine Lieblingsfarbe, gefolgt von Grün.": "favorite_colors = Blau | Grün",
      "Meine zweite Lieblingsfarbe ist Lila.": "favorite_colors 2 = Lila",
      "meine zweitliebste Farbe ist Türkis": "favorite_colors 2 = Türkis",
      "Lila ist meine drittliebste Farbe.": "favorite_colors 3 = Lila",
      "Meine Lieblingsbücher sind 1) Momo 2) Tintenherz 3) Krabat": "favorite_buch = Momo | Tintenherz | Krabat",
      "Mein Lieblingsbuch ist Momo, danach Krabat.": "favorite_buch = Momo | Krabat",
      "Meine Lieblingskryptos sind erstens Bitcoin, zweitens Ethereum, drittens Solana.":
        "favorite_cryptos = Bitcoin | Ethereum | Solana",
      "Meine liebsten Süßigkeiten sind 1. Haribo 2. Milka 3. Toffifee": "favorite_candies = Haribo | Milka | Toffifee",
      "Meine Lieblingssüßigkeiten:\n- Haribo\n- Milka\n- Toffifee": "favorite_candies = Haribo | Milka | Toffifee",
      "Meine drei Lieblingsfarben sind der Reihe nach Rot, Gelb und Orange.": "favorite_colors = Rot | Gelb | Orange",
      "Meine Top 3 Serien: Dark, Lost, Fargo": "favorite_tv = Dark | Lost | Fargo",
      "Meine Nummer 2 bei den Serien ist egal. Meine zweite Lieblingsserie ist Lost!": "favorite_tv 2 = Lost",
      "Ich heiße Jens und wohne in Kiel. Übrigens: meine Lieblingsfarben sind 1. Petrol, 2. Ocker. Bis morgen!":
        "favorite_colors = Petrol | Ocker",
      "## Meine Lieblingsfilme\n1. Das Boot\n2. Lola rennt\n3. Metropolis": "favorite_film = Das Boot | Lola rennt | Metropolis",
      "Meine Lieblingsbrettspiele sind 1) Catan, 2) Azul": "favorite_brettspiel = Catan | Azul",
      "Meine Lieblingsfarben sind zuerst Blau, dann Grün und zuletzt Rot.": "favorite_colors = Blau | Grün | Rot",
    },
    notRead: [
      "Meine Lieblingsfarben sind Blau, Grün und Schwarz.",
      "Meine Lieblingsfarbe ist Blau.",
      "Meine Lieblingsfarben sind nicht 1. Blau, 2. Grün",
      "Wenn meine Lieblingsfarben 1. Blau und 2. Grün wären, was dann?",
      "Angenommen, meine Lieblingsfarben sind 1. Blau 2. Grün.",
      "Sind meine Lieblingsfarben 1. Blau 2. Grün?",
      "Bobs Lieblingsfarben sind 1. Blau 2. Grün",
      "Die Lieblingsfarben meiner Frau sind 1. Blau 2. Grün",
      "Seine Lieblingsserien sind 1. Dark 2. Lost",
      "Sie sagte: „Meine Lieblingsfarben sind 1. Rosa 2. Weiß“",
      "Früher waren meine Lieblingsfarben 1. Rosa 2. Weiß",
      "Meine Lieblingsfarben waren 1. Rosa 2. Weiß",
    ],
  },
  es: {
    read: {
      "Mis colores favoritos son 1) azul, 2) verde, 3) negro": "favorite_colors = azul | verde | negro",
      "mis colores favoritos: 1. azul 2. verde 3. negro": "favorite_colors = azul | verde | negro",
      "Mis series favoritas son:\n1. El Ministerio del Tiempo\n2. La Casa de Papel\n3. Elite":
        "favorite_tv = El Ministerio del Tiempo | La Casa de Papel | Elite",
      "Mi color favorito es azul, luego verde, después negro.": "favorite_colors = azul | verde | negro",
      "Mi color favorito es el azul, seguido de verde y luego negro": "favorite_colors = azul | verde | negro",
      "El azul es mi color favorito, seguido del verde.": "favorite_colors = azul | verde",
      "Mi segundo color favorito es morado.": "favorite_colors 2 = morado",
      "mi tercera serie favorita es Elite": "favorite_tv 3 = Elite",
      "Mis criptomonedas favoritas son primero Bitcoin, segundo Ethereum, tercero Solana":
        "favorite_cryptos = Bitcoin | Ethereum | Solana",
      "Mis dulces preferidos:\n- turrón\n- polvorones\n- churros": "favorite_candies = turrón | polvorones | churros",
      "Mis tres colores favoritos en orden son rojo, amarillo y naranja": "favorite_colors = rojo | amarillo | naranja",
      "Mis libros favoritos son 1) Rayuela 2) Ficciones 3) Pedro Páramo": "favorite_libros = Rayuela | Ficciones | Pedro Páramo",
      "Mi libro favorito es Rayuela, después Ficciones": "favorite_libros = Rayuela | Ficciones",
      "Mis juegos de mesa favoritos son 1) Catán 2) Azul": "favorite_juegos_de_mesa = Catán | Azul",
      "Mi top 3 de criptomonedas: BTC, ETH, ADA": "favorite_cryptos = BTC | ETH | ADA",
      "Hola, soy Marta y vivo en Sevilla. Mis colores favoritos son: 1. turquesa, 2. coral. ¿Qué tal?":
        "favorite_colors = turquesa | coral",
      "## Mis películas favoritas\n1. Volver\n2. Roma": "favorite_peliculas = Volver | Roma",
      "mi color favorito número dos es el gris": "favorite_colors 2 = gris",
      "Las golosinas que más me gustan no sé, pero mis caramelos favoritos son 1) Sugus 2) Solano":
        "favorite_candies = Sugus | Solano",
      "Mis colores favoritos son azul primero, verde segundo y rojo tercero": "favorite_colors = azul | verde | rojo",
    },
    notRead: [
      "Mis colores favoritos son azul, verde y negro.",
      "Mi color favorito es el azul",
      "Mis colores favoritos no son 1) azul 2) verde",
      "Si mis colores favoritos fueran 1) azul 2) verde, ¿qué harías?",
      "Imagina que mis colores favoritos son 1) azul 2) verde",
      "¿Son mis colores favoritos 1) azul 2) verde?",
      "¿Mis colores favoritos son 1) azul 2) verde?",
      "Los colores favoritos de Pedro son 1) azul 2) verde",
      "Sus series favoritas son 1) Elite 2) Roma",
      "Ella dijo: «mis colores favoritos son 1) rosa 2) blanco»",
      "Mis colores favoritos eran 1) rosa 2) blanco",
      "Los colores favoritos de mi hermana son 1) rosa 2) blanco",
    ],
  },
  fr: {
    read: {
      "Mes couleurs préférées sont 1) bleu, 2) vert, 3) noir": "favorite_colors = bleu | vert | noir",
      "mes couleurs préférées : 1. bleu 2. vert 3. noir": "favorite_colors = bleu | vert | noir",
      "Mes séries préférées sont :\n1. Engrenages\n2. Le Bureau des légendes\n3. Lupin":
        "favorite_tv = Engrenages | Le Bureau des légendes | Lupin",
      "Ma couleur préférée est le bleu, puis le vert, puis le noir.": "favorite_colors = bleu | vert | noir",
      "Ma couleur préférée, c'est le bleu, ensuite le vert": "favorite_colors = bleu | vert",
      "Le bleu est ma couleur préférée, suivi du vert.": "favorite_colors = bleu | vert",
      "Ma deuxième couleur préférée est le violet.": "favorite_colors 2 = violet",
      "ma 3e série préférée est Lupin": "favorite_tv 3 = Lupin",
      "Mes cryptomonnaies préférées : premièrement Bitcoin, deuxièmement Ethereum, troisièmement Solana":
        "favorite_cryptos = Bitcoin | Ethereum | Solana",
      "Mes bonbons préférés :\n- Carambar\n- Haribo\n- Malabar": "favorite_candies = Carambar | Haribo | Malabar",
      "Mes trois couleurs préférées dans l'ordre sont rouge, jaune et orange": "favorite_colors = rouge | jaune | orange",
      "Mes livres préférés sont 1) L'Étranger 2) Germinal 3) Nadja": "favorite_livres = L'Étranger | Germinal | Nadja",
      "Mon livre préféré est Germinal, puis Nadja": "favorite_livres = Germinal | Nadja",
      "Mes jeux de société favoris sont 1) Catane 2) Azul": "favorite_jeux_de_societe = Catane | Azul",
      "Mon top 3 des cryptos : BTC, ETH, ADA": "favorite_cryptos = BTC | ETH | ADA",
      "Salut, moi c'est Léa, j'habite à Lille. Mes couleurs préférées sont : 1. turquoise, 2. corail. Et toi ?":
        "favorite_colors = turquoise | corail",
      "## Mes films préférés\n1. Amélie\n2. La Haine": "favorite_films = Amélie | La Haine",
      "Ma couleur préférée numéro deux est le gris": "favorite_colors 2 = gris",
      "Mes couleurs préférées sont d'abord le bleu, ensuite le vert et enfin le rouge": "favorite_colors = bleu | vert | rouge",
      "Mes friandises favorites sont 1. le nougat 2. les calissons": "favorite_candies = nougat | calissons",
    },
    notRead: [
      "Mes couleurs préférées sont le bleu, le vert et le noir.",
      "Ma couleur préférée est le bleu",
      "Mes couleurs préférées ne sont pas 1) bleu 2) vert",
      "Si mes couleurs préférées étaient 1) bleu 2) vert, que dirais-tu ?",
      "Imagine que mes couleurs préférées sont 1) bleu 2) vert",
      "Est-ce que mes couleurs préférées sont 1) bleu 2) vert ?",
      "Les couleurs préférées de Paul sont 1) bleu 2) vert",
      "Ses séries préférées sont 1) Lupin 2) Engrenages",
      "Elle a dit : « mes couleurs préférées sont 1) rose 2) blanc »",
      "Mes couleurs préférées étaient 1) rose 2) blanc",
      "Les couleurs préférées de ma sœur sont 1) rose 2) blanc",
      "Supposons que mes bonbons préférés sont 1. Carambar 2. Haribo",
    ],
  },
  zh: {
    read: {
      "我最喜欢的颜色是1、蓝色2、绿色3、黑色": "favorite_colors = 蓝色 | 绿色 | 黑色",
      "我最喜欢的颜色是：1. 蓝色 2. 绿色 3. 黑色": "favorite_colors = 蓝色 | 绿色 | 黑色",
      "我最喜欢的颜色：第一、蓝色，第二、绿色，第三、黑色。": "favorite_colors = 蓝色 | 绿色 | 黑色",
      "我最喜欢的电视剧：\n1. 琅琊榜\n2. 甄嬛传\n3. 三体": "favorite_tv = 琅琊榜 | 甄嬛传 | 三体",
      "我最喜欢的颜色是蓝色，然后是绿色，最后是黑色。": "favorite_colors = 蓝色 | 绿色 | 黑色",
      "我最喜欢的颜色是蓝色，其次是绿色": "favorite_colors = 蓝色 | 绿色",
      我第二喜欢的颜色是紫色: "favorite_colors 2 = 紫色",
      "我第三喜欢的电视剧是《三体》。": "favorite_tv 3 = 三体",
      "我最喜欢的加密货币第一是比特币，第二是以太坊，第三是索拉纳": "favorite_cryptos = 比特币 | 以太坊 | 索拉纳",
      "我最喜欢的糖果：\n- 大白兔\n- 软糖\n- 棒棒糖": "favorite_candies = 大白兔 | 软糖 | 棒棒糖",
      "我最喜欢的三种颜色依次是红色、黄色、橙色": "favorite_colors = 红色 | 黄色 | 橙色",
      "我最喜欢的书是1)《红楼梦》2)《围城》3)《活着》": "favorite_书 = 红楼梦 | 围城 | 活着",
      "我最喜歡的顏色是1. 藍色 2. 綠色": "favorite_colors = 藍色 | 綠色",
      "我最爱的电视剧是1.三体 2.狂飙": "favorite_tv = 三体 | 狂飙",
      我的第二喜欢的颜色是灰色: "favorite_colors 2 = 灰色",
      "你好，我叫小李，住在成都。我最喜欢的颜色是：1、青色；2、米色。明天见！": "favorite_colors = 青色 | 米色",
      "## 我最喜欢的电影\n1. 霸王别姬\n2. 活着": "favorite_电影 = 霸王别姬 | 活着",
      紫色是我第二喜欢的颜色: "favorite_colors 2 = 紫色",
      "我最喜欢的颜色按顺序是蓝、绿、红": "favorite_colors = 蓝 | 绿 | 红",
      "我最喜欢的加密货币是比特币，其次是以太坊，再次是狗狗币": "favorite_cryptos = 比特币 | 以太坊 | 狗狗币",
    },
    notRead: [
      "我最喜欢的颜色是蓝色、绿色和黑色。",
      "我最喜欢的颜色是蓝色",
      "我最喜欢的颜色不是1、蓝色2、绿色",
      "如果我最喜欢的颜色是1、蓝色2、绿色，会怎样",
      "假设我最喜欢的颜色是1、蓝色2、绿色",
      "我最喜欢的颜色是1、蓝色2、绿色吗？",
      "小王最喜欢的颜色是1、蓝色2、绿色",
      "他最喜欢的颜色是1、蓝色2、绿色",
      "她说：“我最喜欢的颜色是1、粉色2、白色”",
      "我以前最喜欢的颜色是1、粉色2、白色",
      "我妈妈最喜欢的颜色是1、粉色2、白色",
      "你最喜欢的颜色是1、粉色2、白色",
    ],
  },
};

/** Written after the rules had been tuned on the other part. */
export const HELD_OUT: StatementCorpus = {
  en: {
    read: {
      "so i finally ranked them lol. my favourite sweets: 1. wine gums 2. jelly babies 3. percy pigs":
        "favorite_candies = wine gums | jelly babies | percy pigs",
      "For the record my fav tv shows of all time are 1. Succession 2. Fleabag 3. Better Call Saul":
        "favorite_tv = Succession | Fleabag | Better Call Saul",
      "My favorite ice cream flavors are:\n1. pistachio\n2. lemon\n3. stracciatella\n\nDo you know a good place in Bologna?":
        "favorite_ice_cream_flavors = pistachio | lemon | stracciatella",
      "my favorite crypto is eth, then sol, then btc, dont judge": "favorite_cryptos = eth | sol | btc",
      "Quick intro: I'm Priya, 34, product designer. Favorites matter, right? My favorite colors are, from most to least: saffron, ink blue, moss.":
        "favorite_colors = saffron | ink blue | moss",
      "My favourite colour is burgundy, followed closely by forest green.": "favorite_colors = burgundy | forest green",
      "my top 5 tv shows:\n1 - The Bear\n2 - Andor\n3 - Silo\n4 - Shogun\n5 - Ripley":
        "favorite_tv = The Bear | Andor | Silo | Shogun | Ripley",
      "Skittles is my number one candy and Starburst is my number two candy": "favorite_candies 1 = Skittles 2 = Starburst",
      "my fifth favorite color is probably mustard": "favorite_colors 5 = mustard",
      "Please remember that my favorite colors are 1) rust 2) olive 3) slate": "favorite_colors = rust | olive | slate",
      "My favorite dog breeds, in order, are whippets, corgis and poodles.": "favorite_dog_breeds = whippets | corgis | poodles",
      "ok here goes:\n\n# My favorite cryptocurrencies\n\n* Bitcoin\n* Monero\n* Litecoin":
        "favorite_cryptos = Bitcoin | Monero | Litecoin",
      "my favorite candies are #1 Sour Patch Kids #2 Haribo #3 Twizzlers. and no, not candy corn":
        "favorite_candies = Sour Patch Kids | Haribo | Twizzlers",
      "I love tv. My favorite tv shows are 1) Columbo 2) Monk. My second favorite color is gold, like the statue.":
        "favorite_tv = Columbo | Monk ; favorite_colors 2 = gold",
      "my third favourite tv programme is Taskmaster 😂": "favorite_tv 3 = Taskmaster",
      "My favorite colors: \n\n1) navy (for suits)\n2) white (for shirts)\n3) burgundy":
        "favorite_colors = navy | white | burgundy",
      "my favorite pizza toppings -> mushrooms > olives > onions": "favorite_pizza_toppings = mushrooms | olives | onions",
      "My second-favorite candy is Almond Joy.": "favorite_candies 2 = Almond Joy",
      "Okay: first place for my favorite colors goes to... kidding. My favorite colors are red first, then blue, and yellow last.":
        "favorite_colors = red | blue | yellow",
      "Fun fact about me, my favorite colors in order of preference are violet, indigo, and cyan :)":
        "favorite_colors = violet | indigo | cyan",
      "My favorite video games are: 1. Portal 2, 2. Half-Life 2, 3. Celeste":
        "favorite_video_games = Portal 2 | Half-Life 2 | Celeste",
      "my favorite shows are 1st Dexter 2nd House 3rd Bones": "favorite_tv = Dexter | House | Bones",
    },
    notRead: [
      "My favorite colors? Blue, green, whatever.",
      "My friend told me: my favorite colors are 1) lime 2) pink",
      "would you believe my favorite colors are 1) blue 2) green?",
      "My girlfriend's favorite candies are 1. Twix 2. Mars 3. Bounty",
      "Here is a quiz answer key: 1) blue 2) green 3) red",
      "If I had to pick, my favorite colors would be 1) blue 2) green",
      "My favorite tv shows are getting worse: first Lost, then Dexter.",
      "Those aren't my favorite colors: 1) blue 2) green",
      "Second, my favorite color is blue.",
      "my sister says her favorite colors are 1) blue 2) green",
      "I have no favorite colors, 1) they all look good 2) I am color blind",
      "Steps: 1. open my favorite show 2. press play",
      "My favorite crypto exchange is Kraken",
      "The color of my second car is red, then blue.",
    ],
  },
  de: {
    read: {
      "meine lieblingssüßigkeit ist lakritz, dann weingummi": "favorite_candies = lakritz | weingummi",
      "Hier meine Lieblingsserien: 1. Stromberg 2. Türkisch für Anfänger": "favorite_tv = Stromberg | Türkisch für Anfänger",
      "Meine dritte Lieblingsfarbe ist jetzt Beige.": "favorite_colors 3 = Beige",
      "Gelb ist meine zweite Lieblingsfarbe, weil ich die Sonne mag.": "favorite_colors 2 = Gelb",
    },
    notRead: ["Was wären deine Lieblingsfarben?", "Meine Mutter sagt, meine Lieblingsfarben sind 1. Rosa 2. Rot"],
  },
  es: {
    read: {
      "Mis series favoritas: primero Narcos, luego Vis a vis y por último Merlí": "favorite_tv = Narcos | Vis a vis | Merlí",
      "mi cuarto color favorito es beige jaja": "favorite_colors 4 = beige",
      "Oye, mis criptos favoritas son 1. BTC 2. ETH y nada más": "favorite_cryptos = BTC | ETH",
      "Verde es mi segundo color favorito": "favorite_colors 2 = Verde",
    },
    notRead: [
      "Mi madre dice que mis colores favoritos son 1) azul 2) rosa",
      "Ojalá mis colores favoritos fueran 1) azul 2) verde",
    ],
  },
  fr: {
    read: {
      "Mes bonbons préférés sont, dans l'ordre : Carambar, Malabar, Haribo": "favorite_candies = Carambar | Malabar | Haribo",
      "ma deuxième crypto préférée c'est solana": "favorite_cryptos 2 = solana",
      "mes séries préférées : 1) Dix pour cent 2) Kaamelott 3) Hippocrate mdr":
        "favorite_tv = Dix pour cent | Kaamelott | Hippocrate",
      "Le jaune est ma troisième couleur préférée": "favorite_colors 3 = jaune",
    },
    notRead: ["Mon frère dit que mes couleurs préférées sont 1) bleu 2) rose", "Mes couleurs préférées seraient 1) bleu 2) vert"],
  },
  zh: {
    read: {
      "我最喜欢的糖果排名：1. 奶糖 2. 水果糖 3. 巧克力": "favorite_candies = 奶糖 | 水果糖 | 巧克力",
      "我第二喜欢的加密货币是以太坊，因为它有智能合约": "favorite_cryptos 2 = 以太坊",
      "我最喜欢的电视剧第一是亮剑，第二是潜伏": "favorite_tv = 亮剑 | 潜伏",
      "我最喜欢的水果是芒果，然后是荔枝，再是西瓜": "favorite_水果 = 芒果 | 荔枝 | 西瓜",
    },
    notRead: ["我觉得他最喜欢的颜色是1、蓝色2、绿色", "我不知道我最喜欢的颜色是1、蓝色还是2、绿色"],
  },
};

/** Written after the rules had been tuned on both other parts. */
export const LAST: StatementCorpus = {
  en: {
    read: {
      "New here! I'm into cooking and bikes. My favorite pasta shapes: 1) rigatoni 2) orecchiette 3) bucatini. AMA":
        "favorite_pasta_shapes = rigatoni | orecchiette | bucatini",
      "honestly my favorite candy is kit kat then reeses then whoppers": "favorite_candies = kit kat | reeses | whoppers",
      "Update: my second favorite crypto is now Polkadot, Cardano let me down.": "favorite_cryptos 2 = Polkadot",
      "My favorite colours, best first: amber, jade, plum.": "favorite_colors = amber | jade | plum",
      "my favourite TV shows are as follows:\n1. Peep Show\n2. Spaced\n3. Black Books":
        "favorite_tv = Peep Show | Spaced | Black Books",
      "Let me introduce myself properly. My name is Noor, I study law in Leeds.\n\n**My favorite colors**\n\n1. Emerald\n2. Sand\n\n**My favorite candies**\n\n1. Toffee Crisp\n2. Polo Mints":
        "favorite_colors = Emerald | Sand ; favorite_candies = Toffee Crisp | Polo Mints",
      "lavender is my 2nd favorite color fyi": "favorite_colors 2 = lavender",
      "My favorite sports teams are 1. Arsenal, 2. Lakers, and 3. All Blacks":
        "favorite_sports_teams = Arsenal | Lakers | All Blacks",
      "I ranked my favorite cryptos: first Bitcoin, second Litecoin, third Nano.": "favorite_cryptos = Bitcoin | Litecoin | Nano",
      "my favourite color is black followed by white": "favorite_colors = black | white",
      "my all time favourite sweets are 1) sherbet lemons 2) humbugs": "favorite_candies = sherbet lemons | humbugs",
      "Number one on my list is rain, but my favorite seasons are 1) autumn 2) spring 3) winter":
        "favorite_seasons = autumn | spring | winter",
      "My #1 color is cobalt and my #2 color is ivory.": "favorite_colors 1 = cobalt 2 = ivory",
      "top 3 favorite candies: 1. nougat 2. toffee 3. halva": "favorite_candies = nougat | toffee | halva",
      "my favorite coding fonts = 1. Iosevka 2. Fira Code": "favorite_coding_fonts = Iosevka | Fira Code",
      "thanks!! also my favorite tv shows are 1) Bake Off 2) Taskmaster\n\nsorry, I mean my favorite tv shows are:\n1. Taskmaster\n2. Bake Off":
        "favorite_tv = Taskmaster | Bake Off",
      "My favorite color? It's easy. My favorite colors are: blue → green → grey": "favorite_colors = blue | green | grey",
      "my fourth favorite tv show = Frasier": "favorite_tv 4 = Frasier",
      "my favorite colors are 1. red. 2. blue. 3. yellow.": "favorite_colors = red | blue | yellow",
      "my favorite national parks are Zion, then Arches, then Acadia. Planning a trip in May.":
        "favorite_national_parks = Zion | Arches | Acadia",
      "My favorite quotes aside, my favorite authors are 1) Woolf 2) Borges": "favorite_authors = Woolf | Borges",
    },
    notRead: [
      "Do you think my favorite colors are 1) blue 2) green?",
      "Alice: My favorite colors are 1) blue 2) green\nBob: nice",
      "My boss loves color, then coffee, then candy.",
      "My favorite tv show is Lost, the second season especially.",
      "I painted the wall my favorite color, first blue, then green.",
      "nobody believes my favorite colors are 1) blue 2) green",
      "Fix this sentence: my favorite colors is 1) blue 2) green",
      "my favorite candy is out of stock, then I bought gum",
      "His top 3 colors are 1) red 2) blue 3) teal",
      "Roleplay: you're a pirate. My favorite colors are 1) black 2) gold",
      "my ex's favorite tv shows are 1) Girls 2) Lost",
      "Three favorite colors of the brand: 1) blue 2) white 3) red",
      "Once upon a time a fox said its favorite colors are 1) red 2) orange",
    ],
  },
  de: {
    read: {
      "meine liebsten serien sind 1. dark 2. how to sell drugs": "favorite_tv = dark | how to sell drugs",
      "Grün ist meine Lieblingsfarbe, dann kommt Blau.": "favorite_colors = Grün | Blau",
      "Meine vierte Lieblingssüßigkeit ist Nougat, glaube ich.": "favorite_candies 4 = Nougat",
      "Meine Lieblingsfarben der Reihe nach: Mint, Koralle, Anthrazit": "favorite_colors = Mint | Koralle | Anthrazit",
    },
    notRead: ["Peter meint, meine Lieblingsfarben wären 1. Rot 2. Blau", "Mein erstes Auto war ein Golf, dann ein Polo."],
  },
  es: {
    read: {
      "mis dulces favoritos son 1. alfajores 2. mazapán": "favorite_candies = alfajores | mazapán",
      "Mi serie favorita es Aída, seguida de Los Serrano": "favorite_tv = Aída | Los Serrano",
      "mi quinta criptomoneda favorita es Tezos": "favorite_cryptos 5 = Tezos",
      "Top personal: mis colores favoritos, en orden, son lila, crema y ocre": "favorite_colors = lila | crema | ocre",
    },
    notRead: ["Dicen que mis colores favoritos son 1) azul 2) verde", "Mi primer coche fue un Seat, luego un Renault"],
  },
  fr: {
    read: {
      "mes couleurs favorites sont 1. ocre 2. kaki": "favorite_colors = ocre | kaki",
      "Ma série préférée est Un village français, suivie de Baron noir": "favorite_tv = Un village français | Baron noir",
      "ma quatrième cryptomonnaie préférée est Tezos": "favorite_cryptos 4 = Tezos",
      "Pour info, mes couleurs préférées par ordre : lilas, crème, ocre": "favorite_colors = lilas | crème | ocre",
    },
    notRead: ["On dit que mes couleurs préférées sont 1) bleu 2) vert", "Ma première voiture était une Clio, puis une Twingo"],
  },
  zh: {
    read: {
      "我最爱的糖果是：1. 花生糖 2. 牛轧糖": "favorite_candies = 花生糖 | 牛轧糖",
      我第四喜欢的颜色是米白: "favorite_colors 4 = 米白",
      "我最喜欢的加密货币：比特币 > 以太坊 > 莱特币": "favorite_cryptos = 比特币 | 以太坊 | 莱特币",
      绿色是我第三喜欢的颜色: "favorite_colors 3 = 绿色",
    },
    notRead: ["大家都说我最喜欢的颜色是1、蓝色2、绿色", "我的第一辆车是丰田，然后是本田"],
  },
};
