import { type Clause, readClauses } from "#core/language/clause-reader";
import type { Features } from "#core/linear/features";
import type { PackedModel } from "#core/linear/model";
import { MEMORY_TYPES } from "#db/schema/memories";
import { clauseFeatures, passageFeatures, sentenceFeatures, spanFeatures } from "../../src/domain/extraction/judge/features.ts";
import { ABOUT, LASTS } from "../../src/domain/extraction/judge/kinds.ts";
import { type Example, trainLogistic, trainSoftmax } from "./logistic.ts";
import { packed } from "./packed.ts";
import { aboutOf, type Kept, type TalkMessage } from "./talk.ts";

/** Hash tables: the larger, the fewer features share a weight, and the larger the bundle. */
const BUCKETS = { keep: 2 ** 16, wish: 2 ** 15, type: 2 ** 13, kind: 2 ** 12 };
const KEEP = { buckets: BUCKETS.keep, epochs: 8, rate: 0.1, decay: 2e-5 };
const WISH = { ...KEEP, buckets: BUCKETS.wish };
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

/** `wishes`: messages in which only standing wishes are marked. */
export type Talk = { talk: readonly TalkMessage[]; wishes: readonly TalkMessage[] };

type Packed = {
  passage: PackedModel;
  clause: PackedModel;
  continues: PackedModel;
  sensitive: PackedModel;
  wishSentence: PackedModel;
  wishClause: PackedModel;
} & {
  type: Record<(typeof MEMORY_TYPES)[number], PackedModel>;
  lasts: Record<(typeof LASTS)[number], PackedModel>;
  about: Record<(typeof ABOUT)[number], PackedModel>;
};

/** Trains every model on these messages; of `wishes` nothing but standing wishes is marked, so that they teach nothing else. */
export function train({ talk: messages, wishes }: Talk): Packed {
  const read = readAll(messages);
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
    ...trainWishes([...read, ...readAll(wishes)]),
    type: classes(kept, { names: MEMORY_TYPES, nameOf: ({ type }) => type, buckets: BUCKETS.type }),
    lasts: classes(kept, { names: LASTS, nameOf: ({ lasts }) => lasts, buckets: BUCKETS.kind }),
    about: classes(kept, { names: ABOUT, nameOf: aboutOf, buckets: BUCKETS.kind }),
  };
}

function readAll(messages: readonly TalkMessage[]): Read[] {
  return messages.map(readMarked).filter(({ clauses }) => clauses.length > 0);
}

/** Which sentences say how the assistant is to behave from now on, and which of their clauses. */
function trainWishes(read: readonly Read[]): Pick<Packed, "wishSentence" | "wishClause"> {
  const marked = read.map(({ message, clauses, spanOf }) => ({
    clauses,
    // Who takes a wish back says how the assistant is to behave from now on.
    isWish: spanOf.map((span) => message.withdraws === true || (span !== null && message.keep[span]?.instruction === true)),
  }));
  const sentences = marked.flatMap(({ clauses, isWish }) =>
    [...new Set(clauses.map(({ sentence }) => sentence))].map((sentence) => ({
      features: sentenceFeatures(clauses, sentence),
      label: clauses.some((clause, at) => clause.sentence === sentence && isWish[at]) ? 1 : 0,
    })),
  );
  const parts = marked.flatMap(({ clauses, isWish }) =>
    isWish.map((label, at) => ({ features: clauseFeatures(clauses, at), label: label ? 1 : 0 })),
  );
  return { wishSentence: fitted(sentences, WISH), wishClause: fitted(parts, WISH) };
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
