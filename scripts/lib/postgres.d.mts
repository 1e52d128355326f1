/** The types of `postgres.mjs`, for tests that start a private PostgreSQL. */
export function startPostgres(place: {
  folder: string;
  settings?: Record<string, string | number>;
  port?: number;
  password?: string;
  installed?: string;
}): Promise<{
  url: string;
  folder: string;
  child?: { pid?: number };
  exited: Promise<unknown>;
  stop: () => Promise<void>;
}>;
