import { Copy } from 'lucide-react';
import type { ComponentProps } from 'react';
import { t } from '#contract/platform/text/constants/texts';
import { toast } from '../feedback/toast.ts';
import { Button } from './Button.tsx';

async function copyLink(url: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(url);
    toast.success(t('Link copied.'));
  } catch {
    // Copying needs a secure page, and some browsers ask.
    toast.error(t("Your browser doesn't let us copy. The link is {url}", { url }));
  }
}

/** A button that copies the address of a page of this market, given by its path, or another address. */
export const CopyLinkButton = ({
  to,
  ...button
}: { to: string } & Omit<ComponentProps<typeof Button>, 'onClick' | 'icon'>) => (
  <Button
    variant="secondary"
    {...button}
    icon={<Copy />}
    onClick={() => void copyLink(new URL(to, window.location.origin).href)}
  />
);
