import { Braces, CircleSlash, FileDown, Plus, Repeat } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useSearchParams } from 'react-router'
import { useCanWrite, useMe } from '#features/accounts/client.web.ts'
import { type CalendarDay, dayIn, daysOfMonth, formatDay, monthOf } from '#kernel/calendar-day.ts'
import { formatAmount } from '#kernel/money.ts'
import { addMonths, monthLabel } from '#kernel/month.ts'
import { problemTitle } from '#platform/api.web.ts'
import { Badge } from '#platform/ui/Badge.tsx'
import { Button } from '#platform/ui/Button.tsx'
import { Empty, LoadFailed } from '#platform/ui/Empty.tsx'
import { HelpLink } from '#platform/ui/HelpLink.tsx'
import { NoteDialog } from '#platform/ui/NoteDialog.tsx'
import { PageTitle } from '#platform/ui/PageTitle.tsx'
import { type RowAction, RowMenu } from '#platform/ui/RowMenu.tsx'
import { usesLetter } from '#platform/ui/paper-size.web.ts'
import { SettingRow } from '#platform/ui/SettingRow.tsx'
import { LoadingCards } from '#platform/ui/Skeleton.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import { lastDraft } from '#platform/ui/draft.web.ts'
import {
  downloadPaper,
  downloadPaperData,
  readPaperInput,
  usePapers,
  usePermissions,
  useProvider,
  useSetProvider,
  voidPaper,
} from './client.web.ts'
import { PAPER_KIND_WORDS } from './content.ts'
import type { Paper } from './paper.ts'
import { emptyPaper, fieldsOfPaper, type PaperFields } from './paper-form.ts'
import { PaperForm } from './PaperForm.tsx'
import { PermissionsCard } from './PermissionsCard.tsx'
import { programOf } from './program.ts'
import type { Provider } from './provider.ts'
import { ProviderDialog } from './ProviderDialog.tsx'

const NEW = 'paper:new'

interface OpenForm {
  draft: string
  fields: PaperFields
  replaces?: Paper
}

/** Last month, which most papers are about. */
function newPaper(tutorId = ''): OpenForm {
  const { from, to } = daysOfMonth(addMonths(monthOf(dayIn(new Date())), -1))
  return { draft: NEW, fields: emptyPaper(from, to, tutorId) }
}

/** A practice's receipts and invoices, or those that a family made in the names of its tutors. */
export default function PapersPage() {
  return useMe().role === 'parent' ? <FamilyPapers /> : <PracticePapers />
}

function PracticePapers() {
  const papers = usePapers()
  const provider = useProvider()
  return (
    <View
      title="Receipts and invoices"
      subtitle="Numbered papers for families, programs and tax offices."
      empty={{
        title: 'No receipts or invoices yet',
        line: 'Each gets the next number, one line per lesson, and a code that anyone can check.',
      }}
      papers={papers}
      details={{ title: 'Your details didn’t load', query: provider }}
      canMake
      start={newPaper}
    >
      {provider.data && <ProviderCard provider={provider.data} />}
      <PermissionsCard />
    </View>
  )
}

function FamilyPapers() {
  const papers = usePapers()
  const permissions = usePermissions()
  const canWrite = useCanWrite()
  const [query] = useSearchParams()
  const tutorId = query.get('tutor') ?? ''
  const isAllowed = permissions.data?.permissions.some((one) => one.tutor_id === tutorId && one.is_allowed)
  return (
    <View
      title="Receipts and records"
      subtitle="Receipts in the name of a tutor who allows it, and records of your own."
      empty={{
        title: 'No receipts yet',
        line: 'Make one in your tutor’s name, if the tutor allows it, or a record of your own.',
      }}
      papers={papers}
      details={{ title: 'What your tutors allow didn’t load', query: permissions }}
      canMake={canWrite}
      start={() => {
        const open = newPaper(tutorId)
        return { ...open, fields: { ...open.fields, kind: isAllowed ? 'receipt' : 'record' } }
      }}
    />
  )
}

interface ViewProps {
  title: string
  subtitle: string
  empty: { title: string; line: string }
  papers: ReturnType<typeof usePapers>
  /** What making a paper needs. The device keeps the list, but not these. */
  details: { title: string; query: ReturnType<typeof useProvider> | ReturnType<typeof usePermissions> }
  canMake: boolean
  /** A new paper. */
  start: () => OpenForm
  children?: ReactNode
}

function View({ title, subtitle, empty, papers: list, details, canMake, start, children }: ViewProps) {
  const [open, setOpen] = useState<OpenForm | undefined>(() => (lastDraft() === NEW ? start() : undefined))
  const papers = list.data?.papers
  const isReady = details.query.data !== undefined
  const onNew = () => setOpen(start())
  return (
    <>
      <div className="flex flex-wrap items-end justify-between gap-3 md:flex-nowrap">
        <PageTitle title={title} subtitle={subtitle} />
        {isReady && canMake && !open && papers && papers.length > 0 && <NewButton onNew={onNew} />}
      </div>
      <div className="mt-5 grid gap-5">
        {(list.isPending || details.query.isPending) && (
          <LoadingCards count={2} label={`Loading ${title.toLowerCase()}...`} />
        )}
        {list.isLoadingError && (
          <LoadFailed
            title={`Your ${title.toLowerCase()} didn’t load`}
            onRetry={() => void Promise.all([list.refetch(), details.query.refetch()])}
          />
        )}
        {papers && (
          <>
            {children}
            {details.query.isLoadingError && (
              <LoadFailed title={details.title} onRetry={() => void details.query.refetch()} />
            )}
            {open && isReady && (
              <div className="-mt-5">
                <PaperForm
                  key={open.draft}
                  draft={open.draft}
                  fields={open.fields}
                  replaces={open.replaces}
                  onIssued={() => setOpen(undefined)}
                  onClose={() => setOpen(undefined)}
                />
              </div>
            )}
            {papers.length > 0 ? (
              <PaperList papers={papers} onOpen={setOpen} />
            ) : (
              !open && isReady && <NoPapers {...empty} onNew={canMake ? onNew : undefined} />
            )}
          </>
        )}
      </div>
    </>
  )
}

function NewButton({ onNew }: { onNew: () => void }) {
  return (
    <Button onClick={onNew}>
      <Plus className="i" aria-hidden="true" />
      New paper
    </Button>
  )
}

interface NoPapersProps {
  title: string
  line: string
  onNew: (() => void) | undefined
}

function NoPapers({ title, line, onNew }: NoPapersProps) {
  return (
    <Empty
      title={title}
      line={line}
      action={
        <div className="grid justify-items-center gap-2">
          {onNew && <NewButton onNew={onNew} />}
          <HelpLink topic="papers">How receipts and invoices work</HelpLink>
        </div>
      }
    />
  )
}

function ProviderCard({ provider }: { provider: Provider }) {
  const { version, ...details } = provider
  const isOwner = useMe().workspace?.role === 'owner'
  const set = useSetProvider()
  const [isOpen, setIsOpen] = useState(false)
  const name = provider.legal_name
  return (
    <section className="card" aria-label="Your details">
      <SettingRow
        title={name ?? 'Your details'}
        line={
          name ? (
            <span className="whitespace-pre-line">{provider.address}</span>
          ) : (
            'Your legal name and address are on every paper. Type them once.'
          )
        }
      >
        {isOwner ? (
          <Button tone="secondary" size="small" onClick={() => setIsOpen(true)}>
            {name ? 'Edit your details' : 'Add your details'}
          </Button>
        ) : (
          <span className="text-small text-ink-2">Only the owner changes these.</span>
        )}
      </SettingRow>
      {isOpen && (
        <ProviderDialog
          provider={details}
          onSave={(typed) => set.mutateAsync({ details: typed, version })}
          onClose={() => setIsOpen(false)}
        />
      )}
    </section>
  )
}

interface PaperListProps {
  papers: readonly Paper[]
  onOpen: (form: OpenForm) => void
}

function PaperList({ papers, onOpen }: PaperListProps) {
  const [voiding, setVoiding] = useState<Paper>()
  const toast = useToast()
  return (
    <>
      <ul className="card list">
        {papers.map((paper) => (
          <li key={paper.id}>
            <PaperRow paper={paper} onVoid={() => setVoiding(paper)} onOpen={onOpen} />
          </li>
        ))}
      </ul>
      {voiding && (
        <NoteDialog
          draft={`void:${voiding.id}`}
          title={`Declare ${voiding.number} void?`}
          label="Reason"
          help="It stays in the list and on the paper. For example: a letter in the name was wrong"
          maxLength={300}
          missing="Enter why this paper is void"
          failure="The paper was not declared void"
          send="Declare void"
          busyText="Saving..."
          onSend={(reason) => voidPaper(voiding.id, reason)}
          onSent={() => {
            setVoiding(undefined)
            toast.success(`${voiding.number} is void`)
          }}
          onClose={() => setVoiding(undefined)}
        >
          An issued paper can’t be changed. Its number stays, and its code says that it’s void.
        </NoteDialog>
      )}
    </>
  )
}

interface PaperRowProps {
  paper: Paper
  onVoid: () => void
  onOpen: (form: OpenForm) => void
}

function PaperRow({ paper, onVoid, onOpen }: PaperRowProps) {
  const { run, isBusy } = useFile()
  const toast = useToast()
  const isFamily = useMe().role === 'parent'
  const canWrite = useCanWrite()
  // What a family typed isn't the practice's to download or to issue again.
  const isOwn = isFamily || !paper.is_by_family
  const name = `${PAPER_KIND_WORDS[paper.kind]} ${paper.number}`
  const again = async () => {
    try {
      const fields = fieldsOfPaper(await readPaperInput(paper.id))
      onOpen({ draft: `paper:${paper.id}`, fields, replaces: paper })
      document.querySelector('main')?.scrollIntoView()
    } catch (error) {
      toast.error('Error', problemTitle(error, 'The paper could not be opened'))
    }
  }
  const actions: RowAction[] = [
    { label: 'Download the data (JSON)', Icon: Braces, run: () => void run(() => downloadPaperData(paper)) },
    ...(paper.replaced_by || !isOwn || !canWrite
      ? []
      : [
          {
            label: paper.voided_at ? 'Issue again' : 'Void and issue again',
            Icon: Repeat,
            run: () => void again(),
          },
        ]),
    ...(paper.voided_at || !canWrite ? [] : [{ label: 'Declare void', Icon: CircleSlash, run: onVoid }]),
  ]
  return (
    <SettingRow
      title={`${name}${paper.child_name ? `, ${paper.child_name}` : ''}`}
      line={<PaperLine paper={paper} />}
    >
      <div className="-mr-3 flex items-center">
        <Button
          tone="quiet"
          size="small"
          busy={isBusy}
          busyText="Saving..."
          aria-label={`PDF of ${name}`}
          onClick={() => void run(() => downloadPaper(paper, usesLetter() ? 'letter' : 'a4'))}
        >
          <FileDown className="i" aria-hidden="true" />
          PDF
        </Button>
        <RowMenu label={`More for ${name}`} items={actions} />
      </div>
    </SettingRow>
  )
}

function PaperLine({ paper }: { paper: Paper }) {
  const day = (text: string) =>
    formatDay(text as CalendarDay, { month: 'short', day: 'numeric', year: 'numeric' })
  const program = programOf(paper.program)
  const isFamily = useMe().role === 'parent'
  return (
    <>
      <span className="num block">
        {day(paper.first_day)} – {day(paper.last_day)}, {formatAmount(paper.total, paper.currency)}
        {paper.due !== 0 && `, ${formatAmount(paper.due, paper.currency)} due`}
        {program && program.requires.length > 0 && `, ${program.name}`}
      </span>
      {paper.is_by_family && (
        <span className="block">
          {isFamily ? `In the name of ${paper.provider}` : 'Made by the family in your name'}
        </span>
      )}
      {paper.voided_at && (
        <span className="block">
          <Badge tone="warn">Void</Badge> {paper.void_reason}
          {paper.replaced_by && `. Replaced by ${paper.replaced_by}`}
        </span>
      )}
      {paper.replaces && <span className="block">Replaces {paper.replaces}</span>}
      {!paper.voided_at && paper.reopened_since.length > 0 && (
        <span className="block">
          <Badge tone="warn">Check</Badge> {paper.reopened_since.map(monthLabel).join(', ')} was reopened
          since. If anything on it changed, void it and issue it again.
        </span>
      )}
    </>
  )
}

/** Downloads one file at a time, and says so if it didn't work. */
function useFile() {
  const toast = useToast()
  const [isBusy, setIsBusy] = useState(false)
  return {
    isBusy,
    async run(work: () => Promise<void>) {
      setIsBusy(true)
      try {
        await work()
        toast.success('Paper downloaded')
      } catch (error) {
        toast.error('Error', problemTitle(error, 'The paper could not be downloaded'))
      } finally {
        setIsBusy(false)
      }
    },
  }
}
