import { config } from 'zod/v4/core';

// Zod would otherwise try whether it may compile code, which the page's policy forbids and reports.
config({ jitless: true });
