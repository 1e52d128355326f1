import { z } from 'zod';

// The content security policy forbids eval, and zod would try it once, which browsers report. This must
// run before the first schema is created, so import zod from this file only.
if ('document' in globalThis) z.config({ jitless: true });

export { z };
