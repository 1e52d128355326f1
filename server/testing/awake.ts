import { ESCALATION_LIMITS, type EscalationPlan } from '#contract/ordering/attention/constants';
import type { Platform } from '../platform/http/platform.ts';

/** Every step at once, and none after it. */
export const AT_ONCE: Partial<EscalationPlan> = {
  steps: [{ afterSeconds: 0, to: 'alerted', channels: ['push', 'email'] }],
  rounds: 1,
};

/** Nobody is told of a new order within a month. */
export const MONTH_LATER: Partial<EscalationPlan> = {
  steps: [{ afterSeconds: ESCALATION_LIMITS.afterSeconds, to: 'owner', channels: ['email'] }],
};

/**
 * Lets the farms of a market have no quiet hours, whatever time of day it is, and change this of their plan. For tests
 * that wait for what farms are told.
 */
export async function keepAwake(
  { db }: Pick<Platform, 'db'>,
  plan: Partial<EscalationPlan> = {},
): Promise<void> {
  for (const statement of keepingAwake(plan)) await db.$executeRawUnsafe(statement);
}

/** Returns the statements of {@link keepAwake}. */
export function keepingAwake(plan: Partial<EscalationPlan>): string[] {
  const escalation = JSON.stringify({ ...plan, quietHours: null });
  return [
    `CREATE FUNCTION keep_awake() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN NEW.escalation = '${escalation}'; RETURN NEW; END $$`,
    'CREATE TRIGGER keep_awake BEFORE INSERT ON farmer_profiles FOR EACH ROW EXECUTE FUNCTION keep_awake()',
    `UPDATE farmer_profiles SET escalation = '${escalation}'`,
  ];
}
