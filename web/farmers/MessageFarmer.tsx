import { MessageCircle } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useAuth } from '../auth/use-auth.ts';
import { Button, LinkButton } from '../ui/primitives/Button.tsx';

/**
 * The button that opens a form to message a farmer. Hidden from farmers; links visitors to the
 * sign-in. `children` renders the form and gets a function that closes it.
 */
export function MessageFarmer({ children }: { children: (close: () => void) => ReactNode }) {
  const { user } = useAuth();
  const [isOpen, setOpen] = useState(false);
  if (user?.role === 'farmer') return null;
  if (isOpen) return children(() => setOpen(false));
  const buttonProps = { variant: 'secondary', icon: <MessageCircle /> } as const;
  return user ? (
    <Button {...buttonProps} onClick={() => setOpen(true)}>
      Message Farmer
    </Button>
  ) : (
    <LinkButton {...buttonProps} href="/login">
      Message Farmer
    </LinkButton>
  );
}
