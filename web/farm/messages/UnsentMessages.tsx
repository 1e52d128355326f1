import { useAtomValue } from 'jotai';
import { Copy, Trash2 } from 'lucide-react';
import { t } from '#contract/platform/text/constants/texts';
import { rich } from '../../platform/format/rich.tsx';
import { useAuth } from '../../platform/session/session.ts';
import { toast, toastError } from '../../platform/ui/feedback/toast.ts';
import { Button } from '../../platform/ui/primitives/Button.tsx';
import { Card, CardHeader } from '../../platform/ui/primitives/sections.tsx';
import { Time } from '../../platform/ui/primitives/Time.tsx';
import { cannotBeSent, removeUnsent, type Unsent, unsentAtom } from './outbox.ts';

/**
 * The unsent messages of somebody who no longer writes for the farm that they wrote them for. Its conversations are
 * closed to them, so this is where they find their words.
 */
export function UnsentMessages({ className }: { className?: string }) {
  const { user } = useAuth();
  const unsent = useAtomValue(unsentAtom);
  const own = unsent.filter((each) => each.owner === user?._id && cannotBeSent(each, user));
  if (own.length === 0) return null;
  return (
    <Card as="section" aria-labelledby="unsent-words" className={className}>
      <CardHeader id="unsent-words" title={t("Messages that weren't sent")} className="mb-2" />
      <p className="max-w-prose text-sm text-ink-soft">
        {t(
          "You no longer write messages for that farm, so we can't send these. They are kept on this device alone: copy what you still need.",
        )}
      </p>
      <ul className="mt-3 divide-y divide-hairline">
        {own.map((each) => (
          <UnsentMessage key={each._id} unsent={each} />
        ))}
      </ul>
    </Card>
  );
}

function UnsentMessage({ unsent: { _id, receiverName, content, createdAt } }: { unsent: Unsent }) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(content);
      toast.success(t('Message copied.'));
    } catch {
      toastError(
        new Error(t("Your browser didn't allow copying. Select the words and copy them.")),
      );
    }
  };
  return (
    <li className="grid gap-2 py-3 last:pb-0">
      <p className="text-xs text-ink-soft">
        {receiverName === undefined ? (
          <Time value={createdAt} />
        ) : (
          rich('To {name}, {time}', {
            name: <bdi>{receiverName}</bdi>,
            time: <Time value={createdAt} />,
          })
        )}
      </p>
      <p dir="auto" className="whitespace-pre-wrap select-text wrap-anywhere">
        {content}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button variant="secondary" size="sm" icon={<Copy />} onClick={() => void copy()}>
          {t('Copy')}
        </Button>
        <Button
          variant="danger-quiet"
          size="sm"
          icon={<Trash2 />}
          onClick={() => removeUnsent(_id)}
        >
          {t('Delete')}
        </Button>
      </div>
    </li>
  );
}
