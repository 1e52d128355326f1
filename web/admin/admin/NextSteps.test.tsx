// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { AdminStats } from '#contract/admin/admin/admin';
import { DEFAULT_MARKET } from '#contract/platform/market/constants';
import { beginAs, one, open } from '../../pages/testing/page.tsx';
import { aUser, stubNetwork } from '../../platform/testing/network.ts';
import { NextSteps } from './DashboardParts.tsx';

const stats = { totalOrders: 0, usersByRole: { consumer: 0, farmer: 0, admin: 1 } } as AdminStats;

beginAs(aUser('admin'));

/** Returns the titles of the steps that are done. */
async function doneSteps(hasBackup: boolean, over: Partial<AdminStats> = {}): Promise<string[]> {
  stubNetwork({ 'GET /market': one(DEFAULT_MARKET) });
  open(<NextSteps stats={{ ...stats, ...over }} hasBackup={hasBackup} />);
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
