import { useMutation } from '@tanstack/react-query';
import { Download, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { accountExportApi } from '#contract/admin/account-export/constants';
import type { Member } from '#contract/farm/members/members';
import type { User } from '#contract/people/users/users';
import { theMarket } from '#contract/platform/market/constants';
import { marketFileName } from '#contract/platform/text/constants/formats';
import { t } from '#contract/platform/text/constants/texts';
import { dayIn } from '#contract/platform/time/constants';
import { downloadFile, fetchFile } from '../../platform/api/download.ts';
import { toast, toastError } from '../../platform/ui/feedback/toast.ts';
import { Button } from '../../platform/ui/primitives/Button.tsx';
import { Card, CardHeader } from '../../platform/ui/primitives/sections.tsx';
import { DeleteAccountDialog } from './DeleteAccountDialog.tsx';

/** A file with everything about the signed-in person, and the end of their account: a card of the profile. */
export function YourData({
  user,
  staff,
}: {
  user: User;
  /** Who works for the person's farm; undefined while that is not known, null for no farm of theirs. */
  staff: readonly Member[] | null | undefined;
}) {
  const download = useDownloadData();
  const [isDeleting, setDeleting] = useState(false);
  return (
    <Card as="section" aria-labelledby="your-data">
      <CardHeader id="your-data" title={t('Your data')} />
      <div className="grid divide-y divide-hairline">
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 pb-4">
          <p className="min-w-48 grow basis-0 text-sm">
            <span className="font-medium">{t('Everything we keep about you')}</span>
            <span className="block text-ink-soft">
              {t('Your details, orders, messages and more, in one file.')}
            </span>
          </p>
          <Button
            variant="secondary"
            icon={<Download />}
            pending={download.isPending}
            onClick={() => download.mutate()}
          >
            {t('Download my data')}
          </Button>
        </div>
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 pt-4">
          <p className="min-w-48 grow basis-0 text-sm">
            <span className="font-medium">{t('Delete your account')}</span>
            <span className="block text-ink-soft">
              {t('For good. We tell you what goes and what stays first.')}
            </span>
          </p>
          <Button variant="danger-quiet" icon={<Trash2 />} onClick={() => setDeleting(true)}>
            {t('Delete my account')}
          </Button>
        </div>
      </div>
      {isDeleting && (
        <DeleteAccountDialog user={user} staff={staff} onClose={() => setDeleting(false)} />
      )}
    </Card>
  );
}

/** Downloads everything that the market keeps about the signed-in person. */
const useDownloadData = () =>
  useMutation({
    mutationFn: () => fetchFile(accountExportApi.read.path),
    onSuccess: (file) => {
      downloadFile(marketFileName(`my-data-${dayIn(theMarket().timeZone)}.json`), file);
      toast.success(t('Your data is downloaded.'));
    },
    onError: toastError,
  });
