import type { Forms } from "#core/language/statement-forms";

const OCCUPATIONS =
  "护士 医生 老师 教师 工程师 程序员 律师 学生 大学生 研究生 设计师 厨师 司机 警察 会计 记者 作家 画家 演员 歌手 科学家 教授 建筑师 药剂师 牙医 翻译 摄影师 销售 农民 军人 消防员 飞行员 经理 产品经理 自由职业者";
const PEOPLE =
  "妻子|老婆|太太|爱人|丈夫|老公|先生|女朋友|男朋友|女友|男友|未婚妻|未婚夫|妈妈|母亲|爸爸|父亲|姐姐|妹妹|哥哥|弟弟|儿子|女儿|孩子|表姐|表弟|叔叔|阿姨|奶奶|爷爷|外婆|外公|老板|上司|经理|同事|室友|邻居|房东|老师|医生|朋友|闺蜜";
const PETS = "狗|猫|小狗|小猫|兔子|宠物";
const NAME = "[\\p{Script=Han}A-Za-z·]{1,8}?";
/** A statement ends with its clause. */
const END = "(?=$|[，,、；;。！!])";

export const CHINESE_FORMS: Forms = {
  statements: [
    {
      key: "name",
      pattern: `我(?:的名字)?(?:叫做?|的名字是|名字是)(?!什么|你|他|她|不|了|个)(?=[\\p{L}·]{1,20}${END})|我的名字是(?!什么)(?=[\\p{L}·]{1,20}${END})`,
    },
    { key: "home", pattern: "我们?(?:现在|目前|一直|就)?(?:住在|居住在)(?!哪)[\\p{L}]" },
    {
      key: "home",
      pattern:
        "我们?(?![\\p{Script=Han}]{0,6}(?:可能|会|想|要|打算|没|不)[\\p{Script=Han}]{0,2}搬)(?:[\\p{Script=Han}0-9]{0,6}?)(?:搬到|搬去)了?(?!哪|下一|另)[\\p{L}]",
    },
    { key: "work", pattern: `我(?:现在|目前)?在(?!家|晚上|哪|这|那)[\\p{L}]{1,20}?(?:工作|上班)${END}` },
    {
      key: "occupation",
      pattern: `我(?:现在)?是(?:一名|一个|一位|个|名)?[\\p{Script=Han}]{0,6}?(?:${OCCUPATIONS.replaceAll(" ", "|")})${END}`,
    },
    { key: "diet", pattern: `我(?:是(?:一名|一个|个)?(?:素食者|素食主义者|纯素者)|吃素)${END}` },
    { key: "age", pattern: `我(?:今年|已经|现在)?\\d{1,3}岁了?${END}` },
    {
      key: "origin",
      pattern: `我(?:来自(?!哪)|是(?!哪|什么|好|个|一|本|外|坏|大|老|那|这|不|男|女|成年)[\\p{Script=Han}]{1,5}人${END})`,
    },
    { key: "birthday", pattern: "我的生日是" },
    {
      key: "favorite",
      pattern: "我最(?:喜欢|爱)的(?<noun>[\\p{Script=Han}]{1,6}?)(?:是|就是)(?!什么|不是)",
      refuse: "你|这|那|它|第[一二三四]|选项|上面|$|.*(?:什么|就好了|为什么)$",
    },
  ],
  remember: "(?:请|麻烦|帮我)?(?:你)?(?:记住|记得|别忘了|不要忘记|请注意|注意)[，,：:]?(?![我们]*说过)",
  notRemembered: "[你这那]",
  occupations: OCCUPATIONS,
  reminders: [{ pattern: "(?:请|麻烦)?(?:提醒我们?(?!什么|一下什么)|别让我忘(?:了|记))" }],
  relationships: {
    forms: [
      { pattern: `(?![他她它这那谁我你])(?<names>${NAME})是我们?的?(?<role>(?:最好的)?(?:${PEOPLE}))${END}` },
      { pattern: `我们?的?(?<role>${PEOPLE})(?:名字)?(?:叫|是叫)(?!什么|我|你|他|她)(?<names>${NAME})${END}` },
      { pattern: `我们?的?(?<role>${PETS})(?:名字)?叫(?!什么)(?<names>${NAME})${END}` },
    ],
    own: "我的?",
    people: `(?:最好的)?(?:${PEOPLE})`,
    pets: `(?:${PETS})`,
  },
  group: "我们|咱们",
  orders: ["(?:总是|始终|必须|永远|应该|一定要|都要|只能).{0,8}(?:推荐|宣传|回答|回复|提到|建议)"],
};
