import { HAN_LETTERS, type ListWords } from "#core/language/list-words";

const CARDINALS = "一 二|两|兩 三 四 五 六 七 八 九 十 十一 十二".split(" ");
const FIGURES = "第(?:\\d{1,2}|[一二三四五六七八九十]{1,2})";
const ORDINAL = FIGURES;
const HAN = `(?:(?!是|为|有|依|按|的|不|吗|呢|最|排|第|都|叫|分别|列|也|还)[${HAN_LETTERS}])`;
const COUNT_ZH = "(?:前?(?<count>\\d{1,2}|[一二三四五六七八九十两兩])[种種个個部本款首位样樣名]?)?";
const LIKE_ZH = "(?:喜[欢歡]|[爱愛]|中意)";
const VERB_ZH =
  "(?: ?(?:列表|排名|排行|清单)?(?:(?:依次|按顺序|按順序|从高到低|從高到低|顺序|排序|排名)?(?:是|为|如下|有)(?!不)[ :,]*|(?:依次|按顺序)?[ ]?:)\\n{0,2}|(?=第一|1)|\\n{1,2})";

const RANK_ZH = `(?<rank>${ORDINAL}|最后一?|最後一?)`;
const NOUN_ZH = `(?<noun>${HAN}{1,8})`;
const WHAT_ZH = "(?:是(?:(?:什么|什麼)(?:颜色|顏色)?|哪(?:一?[个個部种種本款])?|啥|谁|誰)(?:来着)?|叫什么(?:来着)?)";
const WHICH_ZH = "(?:有哪些|是哪些|都?有什么|都有哪些|都是什么|都是哪些|分别是什么|分別是什麼|是哪几[个種种部]|列表)";

export const CHINESE_LISTS: ListWords = {
  ordinals: [],
  figures: FIGURES,
  cardinals: CARDINALS,
  numbers: "第",
  particles: "[吗嗎]",
  intros: [
    { form: "list", source: `我(?:个人)?最${LIKE_ZH}的${COUNT_ZH}(?<noun>${HAN}{1,8})${VERB_ZH}` },
    { form: "single", source: `我的?(?<rank>${ORDINAL})${LIKE_ZH}的(?<noun>${HAN}{1,8})(?:现在)?是(?!不)` },
    {
      form: "single",
      source: `我最${LIKE_ZH}的(?<rank>${ORDINAL})[个個种種部本]?(?<noun>${HAN}{1,8})(?:现在)?是(?!不)`,
    },
    { form: "backward", source: `是我的?(?<rank>${ORDINAL})${LIKE_ZH}的(?<noun>${HAN}{1,8})` },
  ],
  questions: [
    { ask: "rank", source: `(?:告诉我|告訴我)?我的?${RANK_ZH}${LIKE_ZH}的${NOUN_ZH}${WHAT_ZH}` },
    { ask: "rank", source: `(?:告诉我|告訴我)?我最${LIKE_ZH}的${RANK_ZH}[个個种種部本]?${NOUN_ZH}${WHAT_ZH}` },
    { ask: "rank", bare: true, source: `(?:告诉我|告訴我)?我的?${RANK_ZH}${LIKE_ZH}的${NOUN_ZH}` },
    { ask: "rank", knownOnly: true, source: `哪一?[个個种種部本]${NOUN_ZH}是我的?${RANK_ZH}(?:名|位|${LIKE_ZH}的)` },
    { ask: "list", source: `我最${LIKE_ZH}的${COUNT_ZH}${NOUN_ZH}${WHICH_ZH}` },
    { ask: "list", source: `我最${LIKE_ZH}的前?(?:\\d{1,2}|[二三四五六七八九十两兩几幾])[种種个個部本款]${NOUN_ZH}${WHAT_ZH}` },
    {
      ask: "list",
      source: `(?:给我|帮我|幫我)?(?:列出|列一下|告诉我|告訴我|说说|展示|显示|顯示)(?:我)?(?:所有)?(?:我)?(?:所有)?最${LIKE_ZH}的(?:所有)?${COUNT_ZH}${NOUN_ZH}`,
    },
  ],
  followUps: [
    { ask: "rank", source: `(?:那|那么)?${RANK_ZH}[个個名位]?(?:呢|${WHAT_ZH})` },
    { ask: "list", source: "(?:把)?(?:它们|他们)?(?:都|全部)?列出来" },
  ],
  cue: "我",
  questionCue: "我",
  followUpCue: "[第最列]",
  favourite: "最喜|最爱",
  mentions: "最|喜[欢歡]",
  mine: "[我最喜愛爱]",
  order: "按顺序|按順序",
  ordered: "依次|从高到低|從高到低|排序|排名",
  is: "是|为",
  and: "和|以及",
  afterOrdinal: "名|位|个|個|爱的?|喜欢的?|喜歡的?",
  noName: "的",
  next: "(?:然后|然後|其次|再次|再来|再(?=是)|接着|接下来|最后|最後|之后)(?:才?是|就是)?",
  firstly: "首先(?:是)?",
  inOrder: "按(?:这个)?顺序",
  aside: "因为|因為|但是?|而且?我|不过|而不是|而非",
  noise: "哈哈{1,20}|和|以及",
  leading: "是|为",
  noValue: "无|没有",
  notAValue: "^不是 |喜[欢歡]的",
  courtesy: "你好|谢谢",
  greetings: "你好|请问?|那么?|嘿",
  asking: "你?还?记得|你知道|你能告诉我|告诉我|你?(?:能不能|可以|能)",
  trailing: "[吗嗎呢吧啊]|来着",
  requests: "(?:写|假设|想象)",
  ownVerb: "告诉我",
  last: "最[后後]",
  topics: {
    favorite_colors: "颜色, 顏色, 色彩, 颜色的, 色",
    favorite_cryptos: "加密货币, 加密貨幣, 虚拟货币, 虛擬貨幣, 数字货币, 數字貨幣, 币种",
    favorite_tv: "电视剧, 電視劇, 电视节目, 電視節目, 剧集, 劇集, 电视剧集, 连续剧, 連續劇, 剧, 电视, 電視",
    favorite_candies: "糖果, 糖, 零食糖果",
  },
  askedFor: "(?:列出|告诉我) ?$",
  others: "(?:朋友|妈妈|爸爸|姐姐|妹妹|哥哥|弟弟|老师|同事|他|她)的(?:清单|列表|排名|答案|名单)",
  takenBack: "(?:开玩笑|骗你的)",
  saidAfter: "说",
};
