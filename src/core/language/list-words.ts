export type ListWords = Record<string, never>;
