import { PageHeader } from '../ui/PageHeader.tsx';

/** The cart, and the order made of it. */
export default function CheckoutPage() {
  return (
    <div className="wrap py-8">
      <PageHeader title="Checkout" />
    </div>
  );
}
