import type { SensitiveWords } from "#core/language/pack";

export const SPANISH_SENSITIVITY: SensitiveWords = {
  sensitive: `
    alerg* ansiedad depresi* diabét* cáncer psicólog* tdah vih sida trastorno* insulina asma discapac* silla-de-ruedas operad* me-operan me-van-a-operar
    cirugía migraña* enfermedad* enfermo enferma enfermos enfermas quimio* infarto esclerosis anemi* tiroid* autolesi* diagnóst*
    medicación pastilla* antidepres* morfina
    embaraz* anticoncep* fertilidad infértil*
    adicto adicta adicción adictos alcohólic* sobrio sobria sobriedad recaída desintox* borrach* ludop*
    cocaín* heroína marihuana éxtasis droga* porro*
    sueldo salario* nómina deuda* debo-dinero le-debo les-debo hipoteca* embarg* bancarrota quiebra préstamo* gano
    cárcel prisión preso presa condenad* detenid* antecedentes libertad-condicional delito*
    me-pega me-pegó me-golpea me-golpeó me-maltrata maltrat* violó violac* amenaz* acoso acosa
    asilo refugi* visado inmigra* sin-papeles indocumentad*
    católic* cristian* musulm* judí* ateo atea iglesia mezquita rezo rezar biblia corán a-misa creyente* bautiz* testigo-de-jehová evangélic*
    lesbiana sexo prefiero-hombres prefiero-mujeres los-hombres las-mujeres los-chicos las-chicas salir-del-armario
    comunis* voto voté votó votante votar político* política* militant* psoe vox
    sindica* huelga* ugt ccoo`,
  personal: `
    separad* viud* despid* desempleado nuevo-trabajo`,
  doctors: "médic[oa]|ginecólog[oa]",
  visits: "cita|llamar",
  numbers: "mil|cien|cientos",
  currencies: "pesos|dólares|libras",
  earning: "cobro|cobra|gano|gana",
  periods: "(?:al|por) (?:año|mes|hora)",
};
