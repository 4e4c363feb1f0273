// Shows every component in every state. Served at /gallery.html, only by `npm run dev`; it isn't included in
// any build.
import { Mic, Pencil, Plus } from 'lucide-react'
import { type ReactNode, StrictMode, useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { MemoryRouter } from 'react-router'
import type { Session } from '#features/sessions/session.ts'
import { SessionRow } from '#features/sessions/SessionRow.tsx'
import type { Week } from '#features/summary/summary.ts'
import { WeekChart } from '#features/summary/WeekChart.tsx'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import { currencyOf } from '#kernel/money.ts'
import { AlertPanel } from '#platform/ui/AlertPanel.tsx'
import { Avatar, Badge, RoleBadge } from '#platform/ui/Badge.tsx'
import { Button, IconButton } from '#platform/ui/Button.tsx'
import { SectionHeading, StatStrip } from '#platform/ui/Card.tsx'
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx'
import { DataTable } from '#platform/ui/DataTable.tsx'
import { Empty, LoadFailed } from '#platform/ui/Empty.tsx'
import { DurationField, SelectField } from '#platform/ui/EntryField.tsx'
import { PasswordField, TextArea, TextField } from '#platform/ui/Field.tsx'
import { FormDialog } from '#platform/ui/FormDialog.tsx'
import { LogRow } from '#platform/ui/LogRow.tsx'
import { Logo } from '#platform/ui/Logo.tsx'
import { Notice } from '#platform/ui/Notice.tsx'
import { SegmentedChoice } from '#platform/ui/SegmentedChoice.tsx'
import { SegmentedTabs } from '#platform/ui/SegmentedTabs.tsx'
import { LoadingCards } from '#platform/ui/Skeleton.tsx'
import { BOTH_SIDES, TickLine } from '#platform/ui/Ticks.tsx'
import { ToastProvider, useToast } from '#platform/ui/Toast.tsx'
import './public.css'
import './app.css'

const ROLES = ['parent', 'tutor', 'admin'] as const
const LONG = 'Maximiliano Oyelaran-Featherstonehaugh de la Croix'
const session: Session = {
  id: '1',
  user_id: 'u',
  student_id: 's',
  student_name: 'Maya Whitfield',
  tutor_id: 't',
  tutor_name: 'Ingrid Lindqvist',
  date: '2026-11-17',
  duration: 1.5,
  hourly_rate: null,
  default_rate: 45,
  effective_rate: 45,
  total_amount: 67.5,
  currency: currencyOf('USD'),
  subject: 'Algebra II',
  start_time: '16:00',
  summary: 'Quadratic equations by completing the square.',
  homework: 'Page 84, 3 to 9.',
  notes: null,
  status: 'completed',
  verified_by_tutor: true,
  connection_id: 'c',
  is_shared: true,
  own_confirmation: 'confirmed',
  other_confirmation: 'confirmed',
  dispute_note: null,
  answer_note: null,
  deletion_asked_by: null,
  asked_at: null,
  reminders: 0,
  reminded_at: null,
  is_read_only: false,
  is_held: false,
  schedule_id: null,
  occurrence_date: null,
  created_at: '2026-11-17T18:00:00Z',
  version: 1,
}
const weeks: Week[] = [
  [67.5, 0],
  [0, 45],
  [112.5, 33.33],
  [0, 0],
].map(([verified = 0, waiting = 0], at) => ({
  from: `2026-11-0${1 + at * 2}`,
  to: `2026-11-0${2 + at * 2}`,
  sessions: 1,
  hours: 1,
  verified_amount: verified,
  waiting_amount: waiting,
  disputed_amount: at === 2 ? 20 : 0,
  own_amount: 0,
}))

function Gallery() {
  const [theme, setTheme] = useState<'light' | 'dark'>('light')
  const [role, setRole] = useState<'parent' | 'tutor' | 'admin'>('parent')
  useEffect(() => {
    document.documentElement.dataset.theme = theme
    document.body.dataset.role = role
  }, [theme, role])
  return (
    <main className="mx-auto grid max-w-4xl gap-10 p-5 pb-28">
      <div className="flex items-center gap-3">
        <Logo />
        <h1>Gallery</h1>
      </div>
      <div className="grid gap-4 md:grid-cols-2">
        <SegmentedChoice
          label="Theme"
          name="theme"
          value={theme}
          onValueChange={setTheme}
          options={[
            { value: 'light', label: 'Light' },
            { value: 'dark', label: 'Dark' },
          ]}
        />
        <SegmentedChoice
          label="Role"
          name="role"
          value={role}
          onValueChange={setRole}
          options={[
            { value: 'parent', label: 'Parent' },
            { value: 'tutor', label: 'Tutor' },
            { value: 'admin', label: 'Admin' },
          ]}
        />
      </div>
      <Buttons />
      <Fields />
      <Overlays />
      <Part title="Badges">
        <Row>
          {ROLES.map((role) => (
            <RoleBadge key={role} role={role} />
          ))}
          <Badge>Weekly</Badge>
          <Badge tone="ok">Active</Badge>
          <Badge tone="warn">Suggested</Badge>
          <Badge tone="danger">Sent back</Badge>
          <Avatar initials="DW" />
        </Row>
        <Row>
          <TickLine by={BOTH_SIDES} words="Verified" />
          <TickLine by={['parent']} words="Waiting for tutor" />
          <TickLine by={['tutor']} words="Waiting for you" />
          <TickLine by={[]} words="Waiting for you" />
          <Badge tone="danger">Sent back</Badge>
          <Badge tone="warn">You asked to delete it</Badge>
        </Row>
      </Part>
      <Part title="Log rows">
        <ul className="card list overflow-hidden">
          <SessionRow session={session} onEdit={() => undefined} />
          <SessionRow
            session={{
              ...session,
              student_name: LONG,
              verified_by_tutor: false,
              other_confirmation: 'none',
              total_amount: null,
              effective_rate: null,
            }}
          />
          <SessionRow
            session={{ ...session, student_name: null, tutor_name: null, subject: null }}
            onEdit={() => undefined}
          />
          <LogRow
            day={'2026-11-02' as CalendarDay}
            title={LONG}
            detail="A detail long enough to wrap onto a second line on a phone"
            amount="$10,000.00"
          />
        </ul>
      </Part>
      <Part title="Figures, chart and table">
        <StatStrip
          items={[
            { label: 'Total Children', value: '2', to: '/' },
            { label: 'Active Tutors', value: '12', to: '/' },
            { label: 'This Week', value: '3', to: '/', note: 'Sessions to confirm' },
          ]}
        />
        <WeekChart
          weeks={weeks}
          amounts={{ verified_amount: 180, waiting_amount: 78.33, disputed_amount: 20, own_amount: 0 }}
          measure="amount"
        />
        <div className="card">
          <DataTable
            label="Table"
            columns={[
              { key: 'name', header: 'Name' },
              { key: 'hours', header: 'Hours', numeric: true },
              { key: 'amount', header: 'Amount', numeric: true, strong: true },
            ]}
            rows={[
              { id: '1', cells: { name: 'Ingrid Lindqvist', hours: '2.5', amount: '$118.33' } },
              { id: '2', cells: { name: LONG, hours: '12.0', amount: '$1,540.00' } },
            ]}
          />
        </div>
      </Part>
      <Part title="Notes, empty, failed, loading">
        <Notice>
          Before you log a session,{' '}
          <a className="link" href="#add">
            add a child
          </a>
          .
        </Notice>
        <Empty
          title="No students yet"
          line="Add your first student to get started"
          action={
            <Button>
              <Plus className="i" aria-hidden="true" />
              Add Student
            </Button>
          }
        />
        <LoadFailed title="Your students didn’t load" onRetry={() => undefined} />
        <LoadingCards count={3} label="Loading..." />
      </Part>
    </main>
  )
}

function Buttons() {
  return (
    <Part title="Buttons">
      <Row>
        <Button>Primary</Button>
        <Button tone="secondary">Secondary</Button>
        <Button tone="quiet">Quiet</Button>
        <Button tone="danger">Delete</Button>
        <Button tone="danger-outline">Delete session</Button>
      </Row>
      <Row>
        <Button busy busyText="Adding...">
          Add Session
        </Button>
        <Button blockedReason="Choose a child and a tutor first.">Blocked</Button>
      </Row>
      <Row>
        <Button size="small">Small</Button>
        <Button size="large">
          <Mic className="i" aria-hidden="true" />
          Large
        </Button>
        <IconButton label="Edit schedule for Maya">
          <Pencil className="size-[18px]" aria-hidden="true" />
        </IconButton>
      </Row>
    </Part>
  )
}

function Fields() {
  const [hours, setHours] = useState('1.5')
  const [tab, setTab] = useState<'voice' | 'manual'>('voice')
  return (
    <Part title="Fields">
      <div className="grid gap-4 md:grid-cols-2">
        <TextField label="Name" required placeholder="Placeholder" help="Help text goes here." />
        <TextField
          label="Email"
          defaultValue="name@"
          error="Enter an email address such as name@example.com"
        />
        <SelectField label="Tutor" required>
          <option>Ingrid Lindqvist ($45.00/hour)</option>
        </SelectField>
        <SelectField label="Child" required error="Please select a student">
          <option>Select a child</option>
        </SelectField>
        <PasswordField label="Password" defaultValue="greenhouse" />
        <DurationField
          label="Duration (hours)"
          required
          step={0.25}
          least={0}
          value={hours}
          onValueChange={setHours}
        />
        <TextField label="Date" type="date" defaultValue="2026-11-17" />
        <TextArea label="Notes" placeholder="What you covered, homework set" />
      </div>
      <SegmentedTabs
        label="How to add"
        value={tab}
        onValueChange={setTab}
        tabs={[
          { value: 'voice', label: 'Voice Input', panel: <p className="p-4">Voice</p> },
          { value: 'manual', label: 'Manual Entry', panel: <p className="p-4">Manual</p> },
        ]}
      />
    </Part>
  )
}

function Overlays() {
  const toast = useToast()
  const [open, setOpen] = useState<'form' | 'confirm' | 'alert'>()
  const close = () => setOpen(undefined)
  return (
    <Part title="Overlays">
      <Row>
        <Button tone="secondary" onClick={() => setOpen('form')}>
          Form
        </Button>
        <Button tone="secondary" onClick={() => setOpen('confirm')}>
          Confirmation
        </Button>
        <Button tone="secondary" onClick={() => setOpen('alert')}>
          Alert
        </Button>
        <Button
          tone="secondary"
          onClick={() =>
            toast.success('Schedule deleted successfully', undefined, { label: 'Undo', run: () => undefined })
          }
        >
          Toast
        </Button>
        <Button tone="secondary" onClick={() => toast.error('Error', 'Failed to fetch children')}>
          Error toast
        </Button>
      </Row>
      {open === 'form' && (
        <FormDialog
          title="Edit Session"
          isDirty={false}
          onClose={close}
          footer={
            <>
              <Button tone="secondary" onClick={close}>
                Cancel
              </Button>
              <Button className="flex-1">Update Session</Button>
            </>
          }
        >
          <div className="grid gap-4">
            <TextField label="Subject" />
            <TextArea label="Notes" />
          </div>
        </FormDialog>
      )}
      {open === 'confirm' && (
        <ConfirmDialog
          title="Delete Student"
          text={`Are you sure you want to delete ${LONG}? This action cannot be undone.`}
          confirmLabel="Delete"
          busyText="Deleting..."
          isBusy={false}
          onConfirm={close}
          onCancel={close}
        />
      )}
      {open === 'alert' && (
        <AlertPanel title="Session Timeout Warning" onBack={close}>
          <p className="mt-2">Your session will expire due to inactivity.</p>
          <Button className="mt-4 w-full" onClick={close}>
            Extend Session
          </Button>
        </AlertPanel>
      )}
    </Part>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid gap-4">
      <SectionHeading>{title}</SectionHeading>
      {children}
    </section>
  )
}

function Row({ children }: { children: ReactNode }) {
  return <div className="flex flex-wrap items-center gap-3">{children}</div>
}

const place = document.getElementById('root')
if (place)
  createRoot(place).render(
    <StrictMode>
      <MemoryRouter>
        <ToastProvider>
          <Gallery />
        </ToastProvider>
      </MemoryRouter>
    </StrictMode>,
  )
