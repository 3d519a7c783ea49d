import { type Clause, readClauses } from "#core/language/clause-reader";
import { clauseFeatures, passageFeatures, spanFeatures } from "../../src/domain/extraction/judge/features.ts";
import { ABOUT, LASTS, TYPES } from "../../src/domain/extraction/judge/kinds.ts";
import type { PackedModel } from "../../src/domain/extraction/judge/linear.ts";
import { type Example, trainLogistic } from "./logistic.ts";
import { aboutOf, type Kept, type TalkMessage } from "./talk.ts";

/** Hash tables: the larger, the fewer features share a weight, and the larger the bundle. */
const BUCKETS = { keep: 2 ** 16, kind: 2 ** 12 };
const KEEP = { buckets: BUCKETS.keep, epochs: 8, rate: 0.1, decay: 2e-5 };
const KIND = { buckets: BUCKETS.kind, epochs: 6, rate: 0.1, decay: 2e-5 };

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
  type: Record<(typeof TYPES)[number], PackedModel>;
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
    type: each(TYPES, (name) => kind(({ type }) => type === name)),
    lasts: each(LASTS, (name) => kind(({ lasts }) => lasts === name)),
    about: each(ABOUT, (name) => kind((one) => aboutOf(one) === name)),
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

function each<Name extends string>(names: readonly Name[], of: (name: Name) => PackedModel): Record<Name, PackedModel> {
  return Object.fromEntries(names.map((name) => [name, of(name)])) as Record<Name, PackedModel>;
}

function fitted(examples: readonly Example[], options: typeof KEEP): PackedModel {
  const weights = trainLogistic(examples, options);
  const bias = weights[options.buckets] ?? 0;
  const table = weights.subarray(0, options.buckets);
  const scale = table.reduce((most, weight) => Math.max(most, Math.abs(weight)), 0) / 127;
  const bytes = Int8Array.from(table, (weight) => Math.round(weight / scale));
  return {
    weights: Buffer.from(bytes.buffer).toString("base64"),
    scale: Number(scale.toPrecision(6)),
    bias: Number(bias.toPrecision(6)),
  };
}
