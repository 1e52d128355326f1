const VITE_ORIGIN = 'http://localhost:5173';

/**
 * Returns the origins of the market's pages, from which a browser may connect and use passkeys: its own, and Vite's
 * in development.
 */
export function allowedOrigins(publicUrl: string, mode: string): Set<string> {
  const own = new URL(publicUrl);
  const origins = new Set([own.origin]);
  // A local server has several names.
  if (['localhost', '127.0.0.1', '[::1]'].includes(own.hostname)) {
    for (const hostname of ['localhost', '127.0.0.1', '[::1]']) {
      const alias = new URL(own);
      alias.hostname = hostname;
      origins.add(alias.origin);
    }
  }
  if (mode === 'development') origins.add(VITE_ORIGIN);
  return origins;
}
