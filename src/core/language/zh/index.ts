import type { LanguagePack } from "#core/language/pack";
import { CHINESE_ASKED } from "./asked.ts";
import { CHINESE_FORGET } from "./forget.ts";
import { CHINESE_FORMS } from "./forms.ts";
import { CHINESE_LIST_TALK } from "./list-talk.ts";
import { CHINESE_LISTS } from "./lists.ts";
import { CHINESE_SENSITIVITY } from "./sensitivity.ts";
import { CHINESE_CALENDAR, CHINESE_SIGNS } from "./signs.ts";
import { CHINESE_SLOTS } from "./slots.ts";
import { CHINESE_WORDS } from "./words.ts";

export const CHINESE: LanguagePack = {
  code: "zh",
  spaced: false,
  words: CHINESE_WORDS,
  slots: CHINESE_SLOTS,
  signs: CHINESE_SIGNS,
  calendar: CHINESE_CALENDAR,
  changes: {
    ended:
      "不再|不[^，。！？]{1,6}了|没[^，。！？]{0,4}了|取消|退了|辞职|离职|分手|离婚|卖了|戒了|停了|不用了|算了|吹了|黄了|去世|走了|没了|给了|送人",
    renewed:
      "现在|改成|改为|改到|改在|换成|换了|换到|搬到|搬去|搬了|以后|从今|说错|更正|不对|推迟|提前|涨到|降到|变成|就在|就回|改吃|改喝",
    stops: "别再|不用再|不要再|不必再|停止|停下|够了|可以不用",
    resumes: "恢复|正常|像以前|还是用|又可以",
    happened: "昨天|前天|上周|上个月|去年|以前|之前|前年",
    unreal: "差点|差一点|梦|想过|考虑|打算|可能|也许|要是|如果|想着|本来要|听说|开玩笑|劝我",
    once: "这周|本周|这次|这一次|今天|明天|昨天|下周|这个周末|临时|暂时|就这一次|破例",
    beside: "也|还有|另外|另一|第二|别的|其他|又报",
    stays: "还是|仍然|依然|照旧|不变|一样|还在|留着|没变",
  },
  asks: {
    amount: "几|多少|多久|多大|多长|多远|什么时候|何时|哪天|哪年",
    byAssistant: "你.{0,8}(?:说|推荐|建议|提到|告诉|给我|教我|算)",
    person: "谁|叫什么|名字",
    known: "提醒|来着|几|多少|什么时候|何时|哪|谁|叫什么",
  },
  greetings: "早上好|下午好|晚上好|早安|晚安|明天见|再见|周末愉快",
  amounts: "[一二两三四五六七八九十百千万半]",
  frames: {
    standing: "(?:请)?(?:以后|从现在起|从今以后|总是|永远|每次|今后)",
    prefers: "我(?:还是|比较|更)?(?:更喜欢|偏好|宁愿|宁可)",
    ends: "到(?:周|星期)[一二三四五六日天]|这周|本周|这几天|这两天",
    steering: "(?:总是|必须|应该|只能|一定要).{0,12}(?:告诉|回答|推荐|回复)",
    anybody: "大家|所有人|助手",
    asked: ".{0,400}(?:[吗嗎呢吧]\\W*$|什么|什麼|哪|谁|誰|怎么|怎麼|为什么|是不是|有没有|多少)",
    tag: "(?:对吧|对吗|是吗|是吧)",
    request: "(?:你)?(?:能|可以)(?:帮我)?(?:记住|记得|提醒我)",
    supposed: "如果|假如|假设|假設|要是|假装|想象|若是|倘若|也许|可能",
    reported: "(?:^|[^我])(?:说|說)|写道|[他她们]认为|[他她]问|据说|听说",
    past: "以前|小时候|曾经|过去(?!的)",
    material:
      "(?:请|帮我)?(?:把.{0,40})?(?:翻译|翻譯|翻成|译成|改错|改写|润色|总结|概括|修改)|(?:请|帮我)?写一?(?:个|首|篇|段|封)|(?:例如|比如|例句|.{0,8}(?:作文|改错|练习|对话))[:：，,！]",
    staged: "(?:假设|想象|假装|扮演|你是一|角色扮演|剧情)",
    elsewhere: "在(?:故事|梦|小说)里",
    laughter: "哈哈|呵呵|嘻嘻|笑死",
    joke: "开玩笑",
    reopening: "(?:但是|但|不过|反正|对了)",
    aside: "(?:对了|顺便说)",
    harmless: "我(?:说|觉得|认为|想)(?:过)?",
  },
  conjunctions: "但是|但|不过|所以|因为|而且|然后|以后|如果",
  stating: { words: "一 名 个 位" },
  joins: "和|跟|与|及|并|也|还|同时|另外|带着",
  before: "嗯|其实|对了|顺便说一下|另外|还有|但是|不过|因为|所以|而且|你好|哈喽",
  mailLines: "发件人[ \\t]*[:：][ \\t]*\\S",
  sensitivity: CHINESE_SENSITIVITY,
  moment: { words: "现在|马上|接下来|此刻|今天|今晚" },
  negation: { words: "不|没|沒|从未|從未", contrary: "讨厌|討厭|过敏", idioms: "不要忘|别忘|別忘|不仅" },
  diets: "素食|吃素|清真",
  asked: CHINESE_ASKED,
  lists: CHINESE_LISTS,
  listTalk: CHINESE_LIST_TALK,
  forms: CHINESE_FORMS,
  forget: CHINESE_FORGET,
};
