// @vitest-environment happy-dom
import { cleanup, render, screen, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import type { AdminStats } from '#contract/admin/admin/admin';
import { DEFAULT_MARKET } from '#contract/platform/market/constants';
import { Providers } from '../../app/Providers.tsx';
import { stubNetwork } from '../../platform/testing/network.ts';
import { NextSteps } from './NextSteps.tsx';

const stats = { totalOrders: 0, usersByRole: { consumer: 0, farmer: 0, admin: 1 } } as AdminStats;

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

/** Returns the titles of the steps that are done. */
async function doneSteps(hasBackup: boolean, over: Partial<AdminStats> = {}): Promise<string[]> {
  stubNetwork({ 'GET /market': { status: 200, body: { success: true, data: DEFAULT_MARKET } } });
  render(
    <Providers>
      <NextSteps stats={{ ...stats, ...over }} hasBackup={hasBackup} />
    </Providers>,
  );
  const region = await screen.findByRole('region', { name: 'Next' });
  return within(region)
    .getAllByText('(done)')
    .map((mark) => mark.previousElementSibling?.textContent ?? '');
}

it('ticks the backup once there is one', async () => {
  expect(await doneSteps(true)).toEqual(['Make backups']);
});

it('ticks each step by itself', async () => {
  const usersByRole = { consumer: 0, farmer: 1, admin: 1 };
  expect(await doneSteps(false, { usersByRole })).toEqual(['Invite a farm']);
});
