import { Braces, CircleSlash, FileDown, Plus, Repeat } from 'lucide-react'
import { useState } from 'react'
import { useMe } from '#features/accounts/client.web.ts'
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
  useProvider,
  voidPaper,
} from './client.web.ts'
import { PAPER_KIND_WORDS } from './content.ts'
import type { Paper } from './paper.ts'
import { emptyPaper, fieldsOfPaper, type PaperFields } from './paper-form.ts'
import { PaperForm } from './PaperForm.tsx'
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
function newPaper(): OpenForm {
  const { from, to } = daysOfMonth(addMonths(monthOf(dayIn(new Date())), -1))
  return { draft: NEW, fields: emptyPaper(from, to) }
}

/** A practice's receipts and invoices, and the details that they show. */
export default function PapersPage() {
  const papers = usePapers()
  const provider = useProvider()
  const [open, setOpen] = useState<OpenForm | undefined>(() => (lastDraft() === NEW ? newPaper() : undefined))
  const isLoaded = papers.data && provider.data
  return (
    <>
      <div className="flex flex-wrap items-end justify-between gap-3 md:flex-nowrap">
        <PageTitle
          title="Receipts and invoices"
          subtitle="Numbered papers for families, programs and tax offices."
        />
        {isLoaded && !open && papers.data.papers.length > 0 && (
          <NewButton onNew={() => setOpen(newPaper())} />
        )}
      </div>
      <div className="mt-5 grid gap-5">
        {(papers.isPending || provider.isPending) && (
          <LoadingCards count={2} label="Loading receipts and invoices..." />
        )}
        {papers.isLoadingError && (
          <LoadFailed
            title="Your receipts and invoices didn’t load"
            onRetry={() => void Promise.all([papers.refetch(), provider.refetch()])}
          />
        )}
        {papers.data && (
          <>
            {provider.data && <ProviderCard provider={provider.data} />}
            {/* The device keeps the list, but not the details. */}
            {provider.isLoadingError && (
              <LoadFailed title="Your details didn’t load" onRetry={() => void provider.refetch()} />
            )}
            {open && provider.data && (
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
            {papers.data.papers.length > 0 ? (
              <PaperList papers={papers.data.papers} onOpen={setOpen} />
            ) : (
              !open && provider.data && <NoPapers onNew={() => setOpen(newPaper())} />
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

function NoPapers({ onNew }: { onNew: () => void }) {
  return (
    <Empty
      title="No receipts or invoices yet"
      line="Each gets the next number, one line per lesson, and a code that anyone can check."
      action={
        <div className="grid justify-items-center gap-2">
          <NewButton onNew={onNew} />
          <HelpLink topic="papers">How receipts and invoices work</HelpLink>
        </div>
      }
    />
  )
}

function ProviderCard({ provider }: { provider: Provider }) {
  const isOwner = useMe().workspace?.role === 'owner'
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
      {isOpen && <ProviderDialog provider={provider} onClose={() => setIsOpen(false)} />}
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
    ...(paper.replaced_by
      ? []
      : [
          {
            label: paper.voided_at ? 'Issue again' : 'Void and issue again',
            Icon: Repeat,
            run: () => void again(),
          },
        ]),
    ...(paper.voided_at ? [] : [{ label: 'Declare void', Icon: CircleSlash, run: onVoid }]),
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
  return (
    <>
      <span className="num block">
        {day(paper.first_day)} – {day(paper.last_day)}, {formatAmount(paper.total, paper.currency)}
        {paper.due !== 0 && `, ${formatAmount(paper.due, paper.currency)} due`}
        {program && program.requires.length > 0 && `, ${program.name}`}
      </span>
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
