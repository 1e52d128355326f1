import { useQuery } from '@tanstack/react-query';
import { Check, Circle, Copy } from 'lucide-react';
import type { ReactNode } from 'react';
import type { AdminStats } from '#contract/admin/admin/admin';
import { marketQuery } from '../../platform/format/market.ts';
import { toast } from '../../platform/ui/feedback/toast.ts';
import { Button, LinkButton } from '../../platform/ui/primitives/Button.tsx';
import { Card, CardHeader } from '../../platform/ui/primitives/sections.tsx';

/** Where farms register: the registration with the farmer's role chosen. */
const REGISTER_FARM = '/register?role=farmer';

/**
 * What a new market needs next, for its admin: a farm, an address for its people, a backup. It goes with the
 * first order.
 */
export function NextSteps({ stats, hasBackup }: { stats: AdminStats; hasBackup: boolean }) {
  const { data: market } = useQuery(marketQuery());
  if (stats.totalOrders > 0 || !market) return null;
  const { address, phone, email } = market.contact;
  return (
    <Card as="section" aria-labelledby="next-steps" className="mb-3">
      <CardHeader id="next-steps" title="Next" className="mb-2" />
      <ul className="divide-y divide-hairline">
        <Step
          isDone={stats.usersByRole.farmer > 0}
          title="Invite a farm"
          text="Send this link to the farms you know. They register there and put up their goods."
        >
          <Button variant="secondary" size="sm" icon={<Copy />} onClick={() => void copyLink()}>
            Copy the registration link
          </Button>
        </Step>
        <Step
          isDone={[address, phone, email].some((text) => text !== '')}
          title="Say where people reach you"
          text="An address, a phone number or an email stands at the foot of every page."
        >
          <LinkButton href="/admin/market#contact.address" variant="secondary" size="sm">
            Write the contact
          </LinkButton>
        </Step>
        <Step
          isDone={hasBackup}
          title="Make backups"
          text="On the machine that runs the market, npm run backup writes everything to one folder."
        />
      </ul>
    </Card>
  );
}

async function copyLink(): Promise<void> {
  const url = new URL(REGISTER_FARM, window.location.origin).href;
  try {
    await navigator.clipboard.writeText(url);
    toast.success('Link copied.');
  } catch {
    // Copying needs a secure page, and some browsers ask.
    toast.error(`Your browser doesn't let us copy. The link is ${url}`);
  }
}

function Step({
  isDone,
  title,
  text,
  children,
}: {
  isDone: boolean;
  title: string;
  text: string;
  children?: ReactNode;
}) {
  const Icon = isDone ? Check : Circle;
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-3 last:pb-0">
      <p className="flex min-w-0 max-w-prose items-start gap-3 text-sm">
        <Icon aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-leaf" />
        <span>
          <span className="font-medium">{title}</span>
          {isDone && <span className="sr-only"> (done)</span>}
          <span className="block text-ink-soft">{text}</span>
        </span>
      </p>
      {children}
    </li>
  );
}
