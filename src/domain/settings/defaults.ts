/** Every setting has a value here; a tenant's row holds only what it changed. */
export type Settings = { allowedOrigins: string[]; version: number };

export const DEFAULT_SETTINGS: Settings = { allowedOrigins: [], version: 0 };
