import './ui/theme.css';
import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import { Alert } from './ui/Alert.tsx';
import { Avatar } from './ui/Avatar.tsx';
import { Badge } from './ui/Badge.tsx';
import { Button, LinkButton } from './ui/Button.tsx';
import { Card, CardHeader } from './ui/Card.tsx';
import { Checkbox } from './ui/Checkbox.tsx';
import { ConnectionBadge } from './ui/ConnectionBadge.tsx';
import { Dialog } from './ui/Dialog.tsx';
import { Drawing } from './ui/Drawing.tsx';
import { EmptyState } from './ui/EmptyState.tsx';
import { ErrorState } from './ui/ErrorState.tsx';
import { FarmLandscape } from './ui/FarmLandscape.tsx';
import { Field } from './ui/Field.tsx';
import { FilterBar } from './ui/FilterBar.tsx';
import { Input } from './ui/Input.tsx';
import { Menu, MenuItem } from './ui/Menu.tsx';
import { Money } from './ui/Money.tsx';
import { Picture } from './ui/Picture.tsx';
import { QuantityInput } from './ui/QuantityInput.tsx';
import { SearchInput } from './ui/SearchInput.tsx';
import { Select } from './ui/Select.tsx';
import { SkeletonCards, SkeletonRows } from './ui/Skeleton.tsx';
import { StatusBadge } from './ui/StatusBadge.tsx';
import { Table } from './ui/Table.tsx';
import { Tabs } from './ui/Tabs.tsx';
import { Textarea } from './ui/Textarea.tsx';
import { Time } from './ui/Time.tsx';
import { ToasterHost } from './ui/ToasterHost.tsx';
import { toast } from './ui/toast.ts';

const farms = [
  'Green Valley Farm',
  'Sunrise Orchard',
  'Millbrook Dairy',
  'Hollow Creek',
  'Three Oaks',
  'Far Meadow',
  'Stone Barn',
  'Bee & Bloom',
  'Old Mill Produce',
];
function G() {
  const [q, setQ] = useState(2);
  const [s, setS] = useState('');
  const [f, setF] = useState('all');
  const part = new URLSearchParams(location.search).get('part') ?? 'a';
  const [open, setOpen] = useState(part === 'dialog');
  if (part === 'farms')
    return (
      <div className="wrap grid gap-4 py-6 sm:grid-cols-2 lg:grid-cols-3">
        {farms.map((n) => (
          <Card key={n} className="overflow-hidden p-0">
            <FarmLandscape name={n} />
            <div className="p-4">
              <h2 className="text-lg">{n}</h2>
              <p className="text-sm text-ink-soft">Salem, OR</p>
            </div>
          </Card>
        ))}
      </div>
    );
  if (part === 'drawings')
    return (
      <div className="wrap grid grid-cols-2 gap-6 py-6 md:grid-cols-4">
        {(['basket', 'field', 'letter', 'parcel', 'search', 'farm', 'broken'] as const).map((n) => (
          <EmptyState key={n} drawing={n} title={n} text="Some words about it." />
        ))}
        <Picture src="/nope.webp" alt="x" ground="Fruit" />
        <SkeletonCards cards={2} />
      </div>
    );
  return (
    <div className="wrap grid gap-8 py-8">
      <h1 className="text-4xl">Fresh from the farm, today</h1>
      <h2 className="text-3xl">Why Choose Farmgate</h2>
      <h2 className="text-2xl">Featured products</h2>
      <h2 className="text-xl">Orders</h2>
      <p>
        Body text of{' '}
        <a className="link" href="/x">
          sixteen pixels
        </a>
        , and <span className="text-ink-soft">softer</span>,{' '}
        <span className="text-ink-faint">fainter</span>. <Money amount={1234.5} per="lb" />
      </p>
      <div className="flex flex-wrap gap-3">
        <Button>Accept</Button>
        <Button variant="secondary" icon={<Plus />}>
          Add product
        </Button>
        <Button variant="quiet">Later</Button>
        <Button variant="danger" icon={<Trash2 />}>
          Delete
        </Button>
        <Button variant="danger-quiet">Remove</Button>
        <Button pending pendingLabel="Signing in...">
          Sign in
        </Button>
        <Button disabled>Disabled</Button>
        <LinkButton href="/x" size="lg">
          Shop Now
        </LinkButton>
        <Button size="sm" variant="secondary">
          Small
        </Button>
        <Button
          onClick={() => {
            toast.success('Order placed successfully!');
            toast.error('No answer from the market.');
          }}
        >
          Toast
        </Button>
        <Button onClick={() => setOpen(true)}>Dialog</Button>
        <Menu label="Ada" trigger={<Button variant="secondary">Menu</Button>}>
          <MenuItem onSelect={() => 0}>Profile</MenuItem>
          <MenuItem danger onSelect={() => 0}>
            Logout
          </MenuItem>
        </Menu>
      </div>
      <div className="flex flex-wrap gap-3">
        {(['pending', 'accepted', 'completed', 'rejected', 'cancelled'] as const).map((x) => (
          <StatusBadge key={x} status={x} />
        ))}
        <Badge tone="leaf">Organic</Badge>
        <Badge tone="straw">5 left</Badge>
        <Badge tone="orange">Low</Badge>
        <Badge>Inactive</Badge>
        <ConnectionBadge connection={{ state: 'live', since: 0 }} />
        <ConnectionBadge connection={{ state: 'reconnecting', since: Date.now() }} />
        <ConnectionBadge connection={{ state: 'offline', since: Date.now() }} />
      </div>
      <FilterBar
        label="Status"
        value={f}
        onChange={setF}
        options={['all', 'pending', 'accepted', 'completed', 'rejected', 'cancelled'].map((v) => ({
          value: v,
          label: v,
        }))}
      />
      <div className="grid gap-6 md:grid-cols-2">
        <Card>
          <CardHeader title="A form">
            <Button size="sm" variant="quiet">
              All
            </Button>
          </CardHeader>
          <div className="grid gap-4">
            <Field label="Name" required>
              <Input defaultValue="Ada" />
            </Field>
            <Field
              label="Email"
              error="Please enter a valid email address."
              hint="We never show it."
            >
              <Input defaultValue="ada@" />
            </Field>
            <Field label="Role">
              <Select>
                <option>Consumer</option>
                <option>Farmer</option>
              </Select>
            </Field>
            <Field label="Notes">
              <Textarea placeholder="Anything else?" />
            </Field>
            <Field label="Email (read only)" hint="Email cannot be changed">
              <Input readOnly value="ada@x.y" />
            </Field>
            <Checkbox label="Remember me" defaultChecked />
            <Checkbox label="Accepts pickup" hint="Buyers come to you" />
            <SearchInput label="Search products" value={s} onChange={setS} />
            <QuantityInput label="Quantity" value={q} onChange={setQ} max={8} />
          </div>
        </Card>
        <div className="grid content-start gap-4">
          <Alert kind="error">Product not found</Alert>
          <Alert kind="warning">The price has changed.</Alert>
          <Alert kind="success">Farm profile updated successfully!</Alert>
          <Alert kind="info">Offline since 4:05.</Alert>
          <div className="flex gap-2">
            {['Ada', 'Bela', 'Chen', 'Dora', 'Eli', 'Fay'].map((n) => (
              <Avatar key={n} name={n} />
            ))}
          </div>
          <Card>
            <ErrorState
              error={new Error('No answer from the market. Check your connection and try again.')}
              onRetry={() => 0}
            />
          </Card>
          <Tabs
            label="t"
            tabs={[
              { value: 'a', label: 'General Information', content: <SkeletonRows rows={2} /> },
              { value: 'b', label: 'Farm Profile', content: 'b' },
            ]}
          />
        </div>
      </div>
      <Card className="p-0 sm:p-2">
        <Table
          caption="Orders"
          rows={[
            { id: '4f2a91bc', who: 'Ada Lovelace', n: 3, t: 42.5, s: 'pending' as const },
            { id: '77aa01fe', who: 'Charles Babbage', n: 1, t: 7, s: 'completed' as const },
            { id: '0c9d3e11', who: 'Grace Hopper', n: 12, t: 1280.25, s: 'rejected' as const },
          ]}
          rowKey={(r) => r.id}
          columns={[
            { key: 'id', header: 'Order', primary: true, cell: (r) => `#${r.id}` },
            { key: 'who', header: 'Customer', cell: (r) => r.who },
            { key: 'n', header: 'Items', align: 'end', cell: (r) => r.n },
            { key: 't', header: 'Total', align: 'end', cell: (r) => <Money amount={r.t} /> },
            {
              key: 'd',
              header: 'Date',
              cell: () => (
                <Time as="relative" value={new Date(Date.now() - 300000).toISOString()} />
              ),
            },
            { key: 's', header: 'Status', cell: (r) => <StatusBadge status={r.s} /> },
            {
              key: 'x',
              header: '',
              actions: true,
              cell: () => (
                <Button size="sm" variant="secondary">
                  View Details
                </Button>
              ),
            },
          ]}
        />
      </Card>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title="Update status"
        description="Order #4f2a91bc"
        footer={
          <>
            <Button variant="secondary">Cancel</Button>
            <Button>Update</Button>
          </>
        }
      >
        <Field label="Status">
          <Select>
            <option>accepted</option>
          </Select>
        </Field>
      </Dialog>
      <ToasterHost />
    </div>
  );
}
createRoot(document.getElementById('root') as HTMLElement).render(<G />);
