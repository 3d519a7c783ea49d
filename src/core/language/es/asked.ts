import type { AskedWords } from "#core/language/pack";

export const SPANISH_ASKED: AskedWords = {
  name: "nombre llamo llama llamas llamar quién",
  home: "vivo vivir vives vive casa piso ciudad pueblo dirección cerca zona barrio país domicilio mudado",
  job: "trabajo trabajar trabajas profesión empleo oficio empresa jefe",
  age: "edad años cumpleaños nací nacido",
  origin: "origen nacionalidad nací vengo",
  diet: "dieta comer como comida vegetariano vegetariana vegano vegana alérgico alérgica alergia cocinar receta restaurante cena",
  partner: "pareja esposa esposo marido mujer novia novio casado casada relación",
  children: "hijo hija hijos niños",
  pet: "mascota perro gato animal",
  vehicle: "coche carro conduzco bici vehículo",
  phone: "teléfono móvil celular número",
  email: "correo email",
  income: "ingresos sueldo salario gano cobro",
  school: "escuela universidad colegio estudio estudios estudiar",
  language: "idioma idiomas hablo lengua",
  goal: "meta metas objetivo plan",
};
