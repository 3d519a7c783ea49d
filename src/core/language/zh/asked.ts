import type { AskedWords } from "#core/language/pack";

export const CHINESE_ASKED: AskedWords = {
  name: "名字 叫 姓名 称呼",
  home: "住 住在 住哪 家 城市 地址 附近 哪里 搬",
  job: "工作 职业 上班 公司 做什么 老板",
  age: "年龄 多大 几岁 生日 岁",
  origin: "来自 老家 家乡 国籍",
  diet: "饮食 吃 素食 过敏 做饭 菜谱 餐厅 晚饭",
  partner: "伴侣 妻子 丈夫 老婆 老公 女朋友 男朋友 结婚 对象",
  children: "孩子 儿子 女儿",
  pet: "宠物 狗 猫",
  vehicle: "车 开车 汽车",
  phone: "手机 电话 电话号码 号码",
  email: "邮箱 邮件 电邮",
  income: "收入 工资 薪水 挣",
  school: "学校 大学 上学 专业",
  language: "语言 说",
  goal: "目标 计划",
};
