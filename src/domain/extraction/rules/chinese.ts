import { starts } from "#core/language/patterns";
import { CHINESE_OCCUPATIONS } from "./occupations.ts";
import { keyOf, type Rule, SURE } from "./rule.ts";

const ADV = "(?:真的|非常|特别|最|很|更|比较|一直|也|都|就|现在|目前|其实|超|挺|还是)*";
const ADVS = ADV.replace(")*", "){0,3}");
const UNCLEAR = starts("(?:的话|你|这|那|它|第[一二三四]|选项|上面|$|.*(?:什么|就好了|为什么)$)");

export const CHINESE: readonly Rule[] = [
  {
    category: "preference",
    confidence: SURE.plain,
    pattern: starts("我最(?:喜欢|爱)的(?<noun>[\\p{Script=Han}]{1,6}?)(?:是|就是)(?!什么|不是)"),
    key: ({ noun }) => keyOf("preference:favorite_", noun ?? ""),
  },
  {
    category: "preference",
    confidence: SURE.strong,
    pattern: starts(`我们?${ADVS}(?:喜欢|偏好|热爱|讨厌|受不了|不爱吃|爱吃|爱喝|爱看|爱听|爱)(?!过)`),
    refuse: UNCLEAR,
  },
  {
    category: "decision",
    confidence: SURE.usual,
    pattern: starts("我们?(?:最后|最终|已经|刚)?(?:决定|选择了|选了|打算采用|准备采用|改用了)(?!不了)"),
    refuse: starts("(?:你|这个|那个|第|$)"),
  },
  {
    category: "decision",
    confidence: SURE.usual,
    pattern: starts("我们?(?:将会?|会|要)(?:用|使用|采用)(?!你|这|那|它)"),
    refuse: starts("$"),
  },
  {
    category: "habit",
    confidence: SURE.usual,
    pattern: starts(
      "我们?(?:通常|总是|一般|经常|习惯|往往|每天|每周|每个?(?:周[一二三四五六日末]|早上|晚上|星期[一二三四五六日])|从来?不(?:吃|喝|抽)|不吃(?:肉|猪肉|牛肉|辣)|不喝酒|不抽烟)",
    ),
    refuse: starts("(?:报错|出错|收到错误|以为)"),
  },
  { category: "habit", confidence: SURE.usual, pattern: starts("(?:每天|每周|每个周末|每晚|每天早上|每天晚上)我们?(?!都?会不)") },
  {
    category: "identity",
    confidence: SURE.plain,
    pattern: starts(
      "我(?:的名字)?(?:叫做?|的名字是|名字是)(?!什么|你|他|她|不|了|个)(?=[\\p{L}·]{1,20}$)|我的名字是(?!什么)(?=[\\p{L}·]{1,20}$)",
    ),
    key: "identity:name",
  },
  {
    category: "identity",
    confidence: SURE.plain,
    pattern: starts("我们?(?:现在|目前|一直|就)?(?:住在|居住在|定居在)(?!哪)[\\p{L}]"),
    key: "identity:home",
  },
  {
    category: "identity",
    confidence: SURE.plain,
    pattern: starts(
      "我们?(?![\\p{Script=Han}]{0,6}(?:可能|会|想|要|打算|没|不)[\\p{Script=Han}]{0,2}搬)(?:[\\p{Script=Han}0-9]{0,6}?)(?:搬到|搬去|搬家到)了?(?!哪|下一|另)[\\p{L}]",
    ),
    key: "identity:home",
  },
  {
    category: "identity",
    confidence: SURE.plain,
    pattern: starts("我(?:现在|目前)?在(?!家|晚上|哪|这|那)[\\p{L}]{1,20}?(?:工作|上班)$"),
    key: "identity:work",
  },
  {
    category: "identity",
    confidence: SURE.plain,
    pattern: starts(`我(?:现在)?是(?:一名|一个|一位|个|名)?[\\p{Script=Han}]{0,6}?(?:${CHINESE_OCCUPATIONS})$`),
    key: "identity:occupation",
  },
  {
    category: "identity",
    confidence: SURE.plain,
    pattern: starts("我(?:是(?:一名|一个|个)?(?:素食者|素食主义者|纯素者)|吃素)$"),
    key: "identity:diet",
  },
  {
    category: "identity",
    confidence: SURE.plain,
    pattern: starts(
      "我对[\\p{L}]{1,12}过敏$|我(?:有|患有|得了)(?:焦虑症|抑郁症|糖尿病|哮喘|癌症|高血压)|我怀孕了|我(?:离婚|结婚)了$|我是(?:单身|同性恋|基督徒|穆斯林|佛教徒|左撇子)$",
    ),
  },
  { category: "identity", confidence: SURE.plain, pattern: starts("我(?:今年|已经|现在)?\\d{1,3}岁了?$"), key: "identity:age" },
  {
    category: "identity",
    confidence: SURE.plain,
    pattern: starts("我(?:出生(?:在|于)|是[\\p{Script=Han}0-9]{1,10}出生的)(?!哪)"),
  },
  {
    category: "identity",
    confidence: SURE.plain,
    pattern: starts("我(?:来自(?!哪)|是(?!哪|什么|好|个|一|本|外|坏|大|老|那|这|不|男|女|成年)[\\p{Script=Han}]{1,5}人$)"),
    key: "identity:origin",
  },
  { category: "identity", confidence: SURE.plain, pattern: starts("我的生日是"), key: "identity:birthday" },
  { category: "task", confidence: SURE.plain, pattern: starts("(?:请|麻烦)?(?:提醒我们?(?!什么|一下什么)|别让我忘(?:了|记))") },
  {
    category: "task",
    confidence: SURE.weak,
    pattern: starts("我们?(?:还)?(?:需要|必须|得去?)(?!知道|了解|理解|问|说|你|明白|到|出)[\\p{L}]"),
  },
];

export const CHINESE_REMEMBER = "(?:请|麻烦|帮我)?(?:你)?(?:记住|记得|别忘了|不要忘记|请注意|注意)[，,：:]?(?![我们]*说过)";
