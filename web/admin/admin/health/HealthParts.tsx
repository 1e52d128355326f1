import { queryOptions } from '@tanstack/react-query';
import { CircleAlert, CircleCheck, CircleHelp, TriangleAlert } from 'lucide-react';
import { HEALTH_REFRESH_MS, type HealthState, healthApi } from '#contract/admin/health/constants';
import type { HealthReport } from '#contract/admin/health/health';
import { call } from '../../../platform/api/api.ts';
import type { Tone } from '../../../platform/ui/primitives/Badge.tsx';
import { LinkButton } from '../../../platform/ui/primitives/Button.tsx';
import { adminKeys } from '../keys.ts';
import { summarize } from './health-texts.ts';

/** How a state looks. */
export const stateLooks: Record<
  HealthState,
  { tone: Tone; text: string; icon: typeof CircleCheck }
> = {
  good: { tone: 'leaf', text: 'text-leaf', icon: CircleCheck },
  warning: { tone: 'straw', text: 'text-straw-ink', icon: TriangleAlert },
  bad: { tone: 'tomato', text: 'text-tomato', icon: CircleAlert },
  unknown: { tone: 'neutral', text: 'text-ink-faint', icon: CircleHelp },
};

/** Whether all is well, as the way to the page that says more. It keeps its place while that is not known. */
export function HealthGlance({ report }: { report: HealthReport | undefined }) {
  const state = report?.state ?? 'unknown';
  const { icon: Icon, text } = stateLooks[state];
  return (
    <LinkButton
      href="/admin/health"
      variant="quiet"
      aria-label={
        report ? `Health: ${summarize(report.checks.map((each) => each.state))}` : 'Health'
      }
      icon={<Icon aria-hidden="true" className={text} />}
      className="min-h-9 px-3 text-ink-soft hover:bg-sunken hover:text-ink"
    >
      <span className="max-sm:sr-only">Health</span>
    </LinkButton>
  );
}

/** How often a page asks that only says whether all is well, in milliseconds. */
const GLANCE_REFRESH_MS = 30_000;

/** How the market is now. It is asked again every few seconds while the page is open: no event carries it. */
export const healthQuery = () =>
  queryOptions({
    queryKey: adminKeys.health(),
    queryFn: async ({ signal }) => (await call(healthApi.read, { signal })).data,
    refetchInterval: HEALTH_REFRESH_MS,
    // A report is old the moment it is there.
    staleTime: 0,
  });

/** The same for a page that says in a word whether all is well. */
export const healthGlanceQuery = () =>
  queryOptions({ ...healthQuery(), refetchInterval: GLANCE_REFRESH_MS });
