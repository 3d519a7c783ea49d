import { type Edgewise, EdgewiseError } from "@edgewise/client";
import {
  BaseStore,
  type GetOperation,
  type Item,
  type ListNamespacesOperation,
  type Operation,
  type OperationResults,
  type PutOperation,
  type SearchItem,
  type SearchOperation,
  validateNamespace,
} from "@langchain/langgraph-checkpoint";
import { distinct, isUnder, keyOf, meets, SCOPE_TYPE, scopeIdOf } from "./address.ts";
import { passes, requireKnown } from "./filter.ts";
import { itemOf, toMemory } from "./stored-item.ts";

/** How many memories the service adds, lists or finds in one request. */
const PAGE = 100;
/** The most tokens that the hits of a search may have. */
const MAX_TOKENS = 8_000;
const MAX_SCANNED = 10_000;
const DEFAULT_LIMIT = 10;

export type EdgewiseStoreOptions = {
  client: Edgewise;
  /**
   * Whose memory has the values: a user, by your app's id, or a function that reads them from the namespace. The function is also given the
   * prefix of a search; undefined means that it names nobody, and the call is refused.
   */
  userId: string | ((namespace: readonly string[]) => string | undefined);
  /** How many values one search or list of namespaces reads at most before it is refused; 10,000 when absent. */
  maxScanned?: number | undefined;
};

/** A LangGraph store in the memory of Edgewise's users: each value is a memory of one user, and never in another user's results. */
export class EdgewiseStore extends BaseStore {
  readonly #client: Edgewise;
  readonly #userId: EdgewiseStoreOptions["userId"];
  readonly #maxScanned: number;

  constructor({ client, userId, maxScanned = MAX_SCANNED }: EdgewiseStoreOptions) {
    super();
    this.#client = client;
    this.#userId = userId;
    this.#maxScanned = maxScanned;
  }

  /** Reads see what was stored before the batch. Of several values for one place, the last is stored. */
  override async batch<Op extends Operation[]>(operations: Op): Promise<OperationResults<Op>> {
    const puts = new Map<string, PutOperation>();
    for (const operation of operations) {
      if ("namespace" in operation) validateNamespace(operation.namespace, { allowReservedRoot: true });
      if (isPut(operation)) puts.set(JSON.stringify([operation.namespace, operation.key]), operation);
    }
    const results = await Promise.all(operations.map((operation) => this.#read(operation)));
    await this.#write([...puts.values()]);
    return asResults<Op>(results);
  }

  async #read(operation: Operation): Promise<Item | null | SearchItem[] | string[][] | undefined> {
    if (isPut(operation)) return undefined;
    if ("namespacePrefix" in operation) return await this.#search(operation);
    if ("key" in operation) return await this.#get(operation);
    return await this.#listNamespaces(operation);
  }

  async #get({ namespace, key }: GetOperation): Promise<Item | null> {
    const found = await this.#find(namespace, key);
    return found === null ? null : toItem(found);
  }

  async #find(namespace: string[], key: string) {
    const place = { userId: this.#userOf(namespace), key: await keyOf(namespace, key), scopeType: SCOPE_TYPE };
    const { items } = await this.#client.memories.list({ ...place, reach: "user", limit: 1, stats: false });
    const [memory] = items;
    return memory === undefined ? null : await itemOf(memory);
  }

  /** First what the query finds, best first; then the rest, newest first, until there are as many as asked for. */
  async #search(operation: SearchOperation): Promise<SearchItem[]> {
    const { namespacePrefix, filter, limit = DEFAULT_LIMIT, offset = 0, query } = operation;
    if (namespacePrefix.length > 0) validateNamespace(namespacePrefix, { allowReservedRoot: true });
    requireKnown(filter);
    const wanted = offset + limit;
    const matches = ({ namespace, value }: Item) => isUnder(namespace, namespacePrefix) && passes(value, filter);
    const ranked = query === undefined || query.trim() === "" ? [] : await this.#rank(namespacePrefix, query);
    const found = ranked.filter(matches);
    const known = new Set(found.map(placeOf));
    if (found.length < wanted)
      for await (const item of this.#scan(namespacePrefix)) {
        if (!matches(item) || known.has(placeOf(item))) continue;
        found.push(item);
        if (found.length >= wanted) break;
      }
    return found.slice(offset, wanted);
  }

  async #rank(prefix: string[], query: string): Promise<SearchItem[]> {
    const { hits } = await this.#client.search({
      ...(await this.#scope(prefix)),
      query,
      strategy: "hybrid",
      kinds: ["memory"],
      limit: PAGE,
      maxTokens: MAX_TOKENS,
    });
    const found = await Promise.all(hits.map(async ({ memory, score }) => ({ item: memory && (await itemOf(memory)), score })));
    return found.flatMap(({ item, score }) => (item?.isRanked === true ? [{ ...toItem(item), score }] : []));
  }

  /** The user's values under the first label of a prefix, newest first. */
  async *#scan(prefix: readonly string[]): AsyncGenerator<Item, void> {
    let scanned = 0;
    const place = await this.#scope(prefix);
    for await (const memory of this.#client.memories.list({ ...place, limit: PAGE, stats: false })) {
      if (scanned === this.#maxScanned)
        throw new RangeError(
          `EdgewiseStore has read ${scanned} values and not come to an end. Name a longer prefix or a smaller limit, or raise \`maxScanned\`.`,
        );
      scanned += 1;
      const item = await itemOf(memory);
      if (item !== null) yield toItem(item);
    }
  }

  /** Which memories of which user a search reads. */
  async #scope(prefix: readonly string[]) {
    const [label] = prefix;
    const scope = { userId: this.#userOf(prefix), scopeType: SCOPE_TYPE, reach: "user" as const };
    return label === undefined ? scope : { ...scope, scopeId: await scopeIdOf(label) };
  }

  async #listNamespaces(operation: ListNamespacesOperation): Promise<string[][]> {
    const { matchConditions = [], maxDepth, limit, offset = 0 } = operation;
    const path = matchConditions.find(({ matchType }) => matchType === "prefix")?.path ?? [];
    const any = path.indexOf("*");
    const namespaces: string[][] = [];
    for await (const { namespace } of this.#scan(any === -1 ? path : path.slice(0, any)))
      if (matchConditions.every((condition) => meets(namespace, condition))) namespaces.push(namespace);
    return distinct(namespaces, maxDepth).slice(offset, limit === undefined ? undefined : offset + limit);
  }

  async #write(puts: readonly PutOperation[]): Promise<void> {
    const users = new Map<string, PutOperation[]>();
    for (const put of puts) {
      const userId = this.#userOf(put.namespace);
      const own = users.get(userId) ?? [];
      users.set(userId, own);
      own.push(put);
    }
    for (const [userId, operations] of users) {
      const memories = await Promise.all(operations.filter(hasValue).map(toMemory));
      for (let i = 0; i < memories.length; i += PAGE) await this.#add(userId, memories.slice(i, i + PAGE));
      await Promise.all(operations.filter((operation) => !hasValue(operation)).map((gone) => this.#delete(userId, gone)));
    }
  }

  async #add(userId: string, memories: Awaited<ReturnType<typeof toMemory>>[]): Promise<void> {
    const { items } = await this.#client.memories.add({ userId, memories });
    const hidden = items.filter(({ status = "approved" }) => status !== "approved");
    if (hidden.length > 0)
      throw new Error(
        `Edgewise keeps ${hidden.length} of the values for review (${hidden.map(({ id }) => id).join(", ")}), because of personal identifiers in them, and does not return them until then. Approve them with memories.approve, or switch the setting piiReview off.`,
      );
  }

  async #delete(userId: string, { namespace, key }: PutOperation): Promise<void> {
    const found = await this.#find(namespace, key);
    if (found === null) return;
    try {
      await this.#client.memories.delete({ memoryId: found.memoryId, userId, keepSource: "true" });
    } catch (error) {
      // Deleted since it was found: by another call, or by an attempt whose answer was lost.
      if (!(error instanceof EdgewiseError && error.code === "not_found")) throw error;
    }
  }

  #userOf(namespace: readonly string[]): string {
    const userId = typeof this.#userId === "string" ? this.#userId : this.#userId(namespace);
    if (userId !== undefined && userId !== "") return userId;
    throw new TypeError(
      `EdgewiseStore cannot tell whose values these are: \`userId\` names nobody for this namespace of ${namespace.length} labels. Name a longer one.`,
    );
  }
}

function isPut(operation: Operation): operation is PutOperation {
  return "value" in operation;
}

function hasValue(operation: PutOperation): operation is PutOperation & { value: Record<string, unknown> } {
  return operation.value !== null;
}

function placeOf({ namespace, key }: Item): string {
  return JSON.stringify([namespace, key]);
}

function toItem({ namespace, key, value, createdAt, updatedAt }: Item): Item {
  return { namespace, key, value, createdAt, updatedAt };
}

/** `#read` answers each operation with what its type promises. */
function asResults<Op extends Operation[]>(results: unknown[]): OperationResults<Op> {
  return results as OperationResults<Op>;
}
