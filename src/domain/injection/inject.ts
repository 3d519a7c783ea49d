import type { ChatTurn } from "./read-turns.ts";

type Model = { model: string; withoutSystemRole: readonly string[] };

/**
 * The message that puts the block ahead of the conversation: a system message before the existing ones, so that theirs come last, or, for a
 * model that refuses that role, the first user message, one of its own.
 */
export function blockTurn(block: string, model: Model): ChatTurn {
  return { role: takesSystemRole(model) ? "system" : "user", content: block };
}

/**
 * Whether the model takes system messages. A name of the list is a provider or a model: it refuses if it is one of the parts between the
 * slashes of the model's name, alone or with a tag, or a date or a version and what follows that, behind it. So `o1` is o1, openai/o1 and o1-2024-12-17, and
 * not o1-pro, another model; `glm` is glm-4.6 and glm-4.5-air, `zai` whatever zai/ serves. Models that are not listed take them.
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
