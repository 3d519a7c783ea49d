export type Forms = Record<string, never>;
