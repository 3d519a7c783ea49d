import type { AskedWords } from "#core/language/pack";

export const ENGLISH_ASKED: AskedWords = {
  name: "name named called call who",
  home: "live living home house flat apartment city town country area neighbourhood neighborhood address near nearby local around based located location moved reside",
  job: "job work working profession occupation living career employer company office boss",
  age: "age old birth birthday born birthdate years",
  origin: "from born origin nationality hometown grew native",
  diet: "diet eat eating food vegetarian vegan allergic allergy meal cook recipe restaurant dinner lunch",
  partner: "partner wife husband spouse married girlfriend boyfriend dating relationship together fiance",
  children: "child children kid kids son daughter",
  pet: "pet pets animal dog cat",
  vehicle: "car drive driving vehicle bike",
  phone: "phone mobile device cell telephone number",
  email: "email mail inbox",
  income: "income salary earn earning earnings pay paid make wage wages",
  school: "school university college study studying degree class",
  language: "language speak languages",
  goal: "goal goals plan aim target working towards",
};
