import { type Clause, readClauses } from "#core/language/clause-reader";
import type { Features } from "#core/linear/features";
import type { PackedModel } from "#core/linear/model";
import { MEMORY_TYPES } from "#db/schema/memories";
import { clauseFeatures, passageFeatures, spanFeatures } from "../../src/domain/extraction/judge/features.ts";
import { ABOUT, LASTS } from "../../src/domain/extraction/judge/kinds.ts";
import { type Example, trainLogistic, trainSoftmax } from "./logistic.ts";
import { packed } from "./packed.ts";
import { aboutOf, type Kept, type TalkMessage } from "./talk.ts";

/** Hash tables: the larger, the fewer features share a weight, and the larger the bundle. */
const BUCKETS = { keep: 2 ** 16, type: 2 ** 13, kind: 2 ** 12 };
const KEEP = { buckets: BUCKETS.keep, epochs: 8, rate: 0.1, decay: 2e-5 };
const KIND = { buckets: BUCKETS.kind, epochs: 8, rate: 0.1, decay: 2e-5 };
/** Rare classes count more than by their number, common ones still more than rare ones. */
const CLASSES = { ...KIND, balance: 0.5 };

type Read = { message: TalkMessage; clauses: Clause[]; spanOf: (number | null)[] };

/** The clauses of a message, and of which marked span each is a part, if at least half of it lies in one. */
export function readMarked(message: TalkMessage): Read {
  const clauses = readClauses(message.text);
  const spans = message.keep.map(({ span }) => ({
    start: message.text.indexOf(span),
    end: message.text.indexOf(span) + span.length,
  }));
  const spanOf = clauses.map(({ start, end }) => {
    const shared = spans.map((span) => Math.max(0, Math.min(end, span.end) - Math.max(start, span.start)));
    const most = Math.max(0, ...shared);
    return most >= (end - start) / 2 ? shared.indexOf(most) : null;
  });
  return { message, clauses, spanOf };
}

type Packed = {
  passage: PackedModel;
  clause: PackedModel;
  continues: PackedModel;
  sensitive: PackedModel;
  instruction: PackedModel;
} & {
  type: Record<(typeof MEMORY_TYPES)[number], PackedModel>;
  lasts: Record<(typeof LASTS)[number], PackedModel>;
  about: Record<(typeof ABOUT)[number], PackedModel>;
};

/** Trains every model on these messages. */
export function train(messages: readonly TalkMessage[]): Packed {
  const read = messages.map(readMarked).filter(({ clauses }) => clauses.length > 0);
  const kept = messages.flatMap(({ keep }) => keep.map((each) => ({ kept: each, features: spanFeatures(each.span) })));
  const kind = (holds: (kept: Kept) => boolean) =>
    fitted(
      kept.map(({ kept: each, features }) => ({ features, label: holds(each) ? 1 : 0 })),
      KIND,
    );
  return {
    passage: fitted(
      read.map(({ message, clauses }) => ({ features: passageFeatures(clauses), label: message.keep.length > 0 ? 1 : 0 })),
      KEEP,
    ),
    clause: fitted(
      read.flatMap(({ clauses, spanOf }) =>
        clauses.map((_, at) => ({ features: clauseFeatures(clauses, at), label: spanOf[at] === null ? 0 : 1 })),
      ),
      KEEP,
    ),
    continues: fitted(read.flatMap(continuing), KIND),
    sensitive: kind(({ sensitive }) => sensitive),
    instruction: kind(({ instruction }) => instruction),
    type: classes(kept, { names: MEMORY_TYPES, nameOf: ({ type }) => type, buckets: BUCKETS.type }),
    lasts: classes(kept, { names: LASTS, nameOf: ({ lasts }) => lasts, buckets: BUCKETS.kind }),
    about: classes(kept, { names: ABOUT, nameOf: aboutOf, buckets: BUCKETS.kind }),
  };
}

/** Neighbours that are both worth keeping: whether they are one statement. */
function continuing({ clauses, spanOf }: Read): Example[] {
  return clauses.flatMap((_, at) => {
    const [before, here] = [spanOf[at - 1] ?? null, spanOf[at] ?? null];
    if (before === null || here === null) return [];
    return [{ features: clauseFeatures(clauses, at), label: before === here ? 1 : 0 }];
  });
}

type Classes<Name extends string> = { names: readonly Name[]; nameOf: (kept: Kept) => Name; buckets: number };

function classes<Name extends string>(
  kept: readonly { kept: Kept; features: Features }[],
  { names, nameOf, buckets }: Classes<Name>,
): Record<Name, PackedModel> {
  const labelled = kept.map(({ kept: each, features }) => ({ features, label: names.indexOf(nameOf(each)) }));
  const tables = trainSoftmax(labelled, names.length, { ...CLASSES, buckets });
  return Object.fromEntries(names.map((name, i) => [name, packed(tables[i] ?? new Float32Array(buckets + 1))])) as Record<
    Name,
    PackedModel
  >;
}

function fitted(examples: readonly Example[], options: typeof KEEP): PackedModel {
  return packed(trainLogistic(examples, options));
}
