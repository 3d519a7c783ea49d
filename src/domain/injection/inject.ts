/** The message that carries the block. */
export type BlockTurn = { role: "system" | "user"; content: string };

type Model = { model: string; withoutSystemRole: readonly string[] };

/**
 * The message that carries the block. A system message before the existing ones, so that the client's instructions come last; or, for a
 * model that refuses that role, a separate first user message.
 */
export function blockTurn(block: string, model: Model): BlockTurn {
  return { role: takesSystemRole(model) ? "system" : "user", content: block };
}

/**
 * Whether the model takes system messages. A name in the list is a provider or a model. A model is refused if a name equals one of the
 * parts of its name between slashes, optionally followed by a tag, a date or a version and its suffix. So `o1` matches o1, openai/o1 and
 * o1-2024-12-17, but not o1-pro, which is another model; `glm` matches glm-4.6 and glm-4.5-air; `zai` matches every model of zai/. Models
 * that are not listed take system messages.
 */
export function takesSystemRole({ model, withoutSystemRole }: Model): boolean {
  const parts = model
    .toLowerCase()
    .split("/")
    .map((part) => part.trim());
  return !withoutSystemRole.some((name) => parts.some((part) => isNamed(part, name.toLowerCase())));
}

/** What may follow a name: `-2024-12-17`, `-4.6`, `4v-plus`, `-latest`, `:free`, `@20241217`. */
const VERSION = /^(?:-?v?\d[\d.]*[a-z]?(?:-[\w.]+)*)?(?:-latest)?(?:[:@].*)?$/u;
const MORE_DIGITS = /\d[\d.]/u;

function isNamed(part: string, name: string): boolean {
  if (name === "" || !part.startsWith(name)) return false;
  const isOtherNumber = MORE_DIGITS.test(part.slice(name.length - 1, name.length + 1));
  return !isOtherNumber && VERSION.test(part.slice(name.length));
}
