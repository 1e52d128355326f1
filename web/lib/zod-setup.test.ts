import './zod-setup.ts';
import { expect, it } from 'vitest';
import { config } from 'zod/v4/core';

it('reaches zod, although it comes first and without it', () => {
  expect(config().jitless).toBe(true);
});
