import { describe, expect, it } from "vitest";
import { BUILT_IN_NOUNS } from "./built-in-topics.ts";
import { builtInNouns, createTopicIndex, labelOf, nounKey, topicOf } from "./topics.ts";

const topicIndex = createTopicIndex([
  {
    key: "pets",
    nouns: [
      { noun: "pet", language: "en" },
      { noun: "Haustier", language: "de" },
      { noun: "mascota", language: null },
    ],
  },
]);

describe("a noun's topic", () => {
  it.each([
    ["colour", "favorite_colors"],
    ["Colors", "favorite_colors"],
    ["couleurs", "favorite_colors"],
    ["颜色", "favorite_colors"],
    ["tv show", "favorite_tv"],
    ["séries télé", "favorite_tv"],
    ["Süßigkeiten", "favorite_candies"],
    ["criptomoneda", "favorite_cryptos"],
    ["favorite colors", "favorite_colors"],
    ["favorite_colors", "favorite_colors"],
    ["pets", "pets"],
    ["Mascotas", "pets"],
    ["board game", "favorite_board_games"],
    ["color tv", "favorite_color_tvs"],
    ["candy crush", "favorite_candy_crushes"],
    ["tv show colors", "favorite_tv_show_colors"],
    ["city", "favorite_cities"],
    ["книга", "favorite_книга"],
  ])("of %j is %s", (noun, topic) => expect(topicOf(topicIndex, noun)).toBe(topic));

  it("of a German noun of the tenant's is found in the plural, too", () =>
    expect(topicOf(topicIndex, "Haustiere", "de")).toBe("pets"));

  it.each(["", "  ", "ones", "things", "thing", "42", "?!", "a b c d e f g h"])("is none for %j", (noun) =>
    expect(topicOf(topicIndex, noun)).toBeNull(),
  );

  it.each([
    [
      "en",
      ["city", "cities"],
      ["board game", "Board Games"],
      ["bus", "buses"],
      ["child", "children"],
      ["movie", "movies"],
      ["flavour", "flavors"],
      ["dish", "dishes"],
      ["sandwich", "sandwiches"],
      ["wolf", "wolves"],
      ["ice cream flavor", "ice cream flavours"],
      ["flavor of ice cream", "flavors of ice cream"],
    ],
    [
      "de",
      ["Buch", "Bücher"],
      ["Film", "Filme"],
      ["Sprache", "Sprachen"],
      ["Brettspiel", "Brettspiele"],
      ["Blume", "Blumen"],
      ["Getränk", "Getränke"],
      ["Stadt", "Städte"],
      ["Mannschaft", "Mannschaften"],
      ["Autor", "Autoren"],
    ],
    [
      "es",
      ["libro", "libros"],
      ["ciudad", "ciudades"],
      ["juego de mesa", "juegos de mesa"],
      ["canción", "canciones"],
      ["pez", "peces"],
      ["equipo español", "equipos españoles"],
    ],
    [
      "fr",
      ["livre", "livres"],
      ["jeu de société", "jeux de société"],
      ["animal", "animaux"],
      ["gâteau", "gateaux"],
      ["pays", "pays"],
    ],
    ["zh", ["电影", "电影"]],
  ] as const)("is one in singular and plural (%s)", (language, ...pairs) => {
    for (const [one = "", many = ""] of pairs)
      expect([one, topicOf(topicIndex, one, language)]).toEqual([one, topicOf(topicIndex, many, language)]);
  });
});

describe("the nouns of topics", () => {
  it("are built in under the key by which a tenant's would be stored", () => {
    expect(builtInNouns().get(nounKey("Colour"))).toBe("favorite_colors");
    expect(builtInNouns().get(nounKey("kryptowährung"))).toBe("favorite_cryptos");
    expect(builtInNouns().get(nounKey("pet"))).toBeUndefined();
  });

  it("stay with the built-in topic when a tenant claims one", () => {
    const greedy = createTopicIndex([{ key: "paints", nouns: [{ noun: "color", language: null }] }]);
    expect(topicOf(greedy, "colors")).toBe("favorite_colors");
  });

  it("lead to their topic, and to no other", () => {
    for (const [topic, nouns] of Object.entries(BUILT_IN_NOUNS))
      for (const noun of nouns) expect([noun, topicOf(createTopicIndex([]), noun)]).toEqual([noun, topic]);
  });
});

it("says a topic in a sentence", () => {
  expect(labelOf("favorite_colors")).toBe("favorite colors");
  expect(labelOf("favorite_tv")).toBe("favorite TV shows");
  expect(labelOf("pets")).toBe("pets");
});
