import type { Named } from "#core/linear/named";
import { scoreNamed } from "#core/linear/named";
import type { AskedNeed } from "../../src/domain/retrieval/need/asked.ts";
import { besideFeatures, type NeedWeights, needsOf, nothingFeatures } from "../../src/domain/retrieval/need/choose.ts";
import { trainNamed } from "./logistic.ts";

/** A question with the features of its candidates, and which of them it needs. */
export type Choice = { asked: AskedNeed; features: readonly Named[]; isNeeded: readonly boolean[] };

const NEEDED = { decay: 30, least: 30 };
const BESIDE = { decay: 30, least: 200 };
const NOTHING = { decay: 60, least: 16 };

/** One after the other, because each reads what the one before says of the same questions. */
export function trainNeed(choices: readonly Choice[]): NeedWeights {
  const labelled = (featuresOf: (choice: Choice) => readonly Named[]) =>
    choices.flatMap((choice) =>
      featuresOf(choice).map((features, i) => ({ features, label: choice.isNeeded[i] === true ? 1 : 0 })),
    );
  const needed = trainNamed(
    labelled(({ features }) => features),
    NEEDED,
  );
  const beside = trainNamed(
    labelled(({ asked, features }) =>
      besideFeatures(
        asked,
        features,
        features.map((each) => scoreNamed(needed, each)),
      ),
    ),
    BESIDE,
  );
  const nothing = trainNamed(
    choices.map(({ asked, features, isNeeded }) => ({
      features: nothingFeatures(asked, features, needsOf(asked, features, { needed, beside, nothing: {} }).needed),
      label: isNeeded.includes(true) ? 0 : 1,
    })),
    NOTHING,
  );
  return { needed, beside, nothing };
}
