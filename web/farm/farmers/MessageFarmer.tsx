import { MessageCircle } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useLocation } from 'wouter';
import { t } from '#contract/platform/text/constants/texts';
import { useSearchParam } from '../../platform/hooks/use-search-param.ts';
import { signInHref, useSignIn } from '../../platform/session/return-path.ts';
import { useAuth } from '../../platform/session/session.ts';
import { Button, LinkButton } from '../../platform/ui/primitives/Button.tsx';

/**
 * The button that opens a form to message a farmer. Hidden from farmers; links visitors to the sign-in,
 * after which the form is open (`?message=open`). `children` renders the form and gets a function that
 * closes it.
 */
export function MessageFarmer({ children }: { children: (close: () => void) => ReactNode }) {
  const { user } = useAuth();
  const [path] = useLocation();
  const signIn = useSignIn();
  const [asked, setAsked] = useSearchParam('message');
  const [isOpen, setOpen] = useState(asked === 'open');
  if (user?.role === 'farmer') return null;
  const close = () => {
    setOpen(false);
    if (asked !== '') setAsked('');
  };
  const buttonProps = { variant: 'secondary', icon: <MessageCircle /> } as const;
  if (!user) {
    const withForm = `${path}?message=open`;
    return (
      <LinkButton
        {...buttonProps}
        className="first-not-for-farmers"
        // The address is for a new tab; in this one the history entry says where to return.
        href={signInHref('/login', withForm)}
        onClick={(event) => {
          event.preventDefault();
          signIn(withForm);
        }}
      >
        {t('Message Farmer')}
      </LinkButton>
    );
  }
  if (isOpen) return children(close);
  return (
    <Button {...buttonProps} onClick={() => setOpen(true)}>
      {t('Message Farmer')}
    </Button>
  );
}
