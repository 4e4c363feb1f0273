import { useState } from 'react'
import { useForm, type UseFormReturn, useWatch } from 'react-hook-form'
import type { Currency } from '#kernel/money.ts'
import { newId } from '#kernel/id.ts'
import { Button } from '#platform/ui/Button.tsx'
import { forgetDraft, readDraft, useDraft, withDraft } from '#platform/ui/draft.web.ts'
import { useFailure } from '#platform/ui/entry-form.web.ts'
import { checkedBy, fieldErrorsOf } from '#platform/ui/form.web.ts'
import { FormBoundary } from '#platform/ui/FormBoundary.tsx'
import { FormButtons } from '#platform/ui/FormButtons.tsx'
import { FormDialog } from '#platform/ui/FormDialog.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import { capital, type Saving, useSaveTerms } from './client.web.ts'
import { Rules } from './rules.ts'
import { Sentences } from './Sentences.tsx'
import { sentencesOf } from './sentences.ts'
import { TermsFieldset } from './TermsFieldset.tsx'
import { amountsIn, fieldsOf, rulesOf, type TermsFields, type TypedRules } from './terms-form.ts'

interface TermsDialogProps {
  saving: Saving
  /** The rules to start from, as JSON has them. */
  start: object
  /** What these would replace, to mark what's different. */
  before?: readonly string[] | undefined
  currency: Currency
  /** What to call the other side within a sentence; undefined if there's none. */
  other: string | undefined
  onClose: () => void
}

/** The form for terms, and what it says read back before it's sent. */
export function TermsDialog(props: TermsDialogProps) {
  const draft = draftOf(props.saving)
  return (
    <FormBoundary draft={draft}>
      <TermsForm {...props} draft={draft} />
    </FormBoundary>
  )
}

function draftOf(saving: Saving): string {
  if ('propose' in saving) return `terms:${Object.values(saving.propose).join()}`
  return `terms:${('change' in saving ? saving.change : saving.answer).id}`
}

function TermsForm({
  saving,
  start,
  before,
  currency,
  other,
  draft,
  onClose,
}: TermsDialogProps & { draft: string }) {
  const toast = useToast()
  const save = useSaveTerms()
  const [idempotencyKey] = useState(newId)
  const form = useForm<TermsFields>({
    resolver: (fields, ...more) =>
      checkedBy<TermsFields>(Rules, rulesOf, { currency, fields: amountsIn(fields) })(fields, ...more),
    defaultValues: withDraft(draft, fieldsOf(start as TypedRules)),
  })
  useDraft(draft, form)
  const [wasKept] = useState(() => readDraft(draft) !== undefined)
  const [readBack, setReadBack] = useState<readonly string[]>()
  const { problem, fail, clear } = useFailure()
  const close = () => {
    forgetDraft(draft)
    onClose()
  }
  const review = form.handleSubmit((fields) => {
    clear()
    setReadBack(sentencesOf(Rules.parse(rulesOf(fields)), currency))
  })
  const send = form.handleSubmit(async (fields) => {
    clear()
    try {
      await save.mutateAsync({ saving, rules: rulesOf(fields) as TypedRules, currency, idempotencyKey })
      if (other) toast.success('Terms proposed', `They apply once ${other} agrees.`)
      else toast.success('Terms saved')
      close()
    } catch (error) {
      if (fieldErrorsOf(error).length > 0) setReadBack(undefined)
      fail(error, 'The terms could not be saved. What you typed is still here.')
    }
  })
  return (
    <FormDialog
      title={other ? 'Terms' : 'Your terms'}
      isDirty={form.formState.isDirty || wasKept}
      onClose={close}
      problem={problem}
      footer={
        readBack ? (
          <>
            <Button tone="secondary" onClick={() => setReadBack(undefined)}>
              Back
            </Button>
            <Button
              className="flex-1"
              busy={save.isPending}
              busyText="Sending..."
              onClick={() => void send()}
            >
              {other ? 'Propose' : 'Save'}
            </Button>
          </>
        ) : (
          <FormButtons form="terms" label="Read it back" isBusy={false} onCancel={close} />
        )
      }
    >
      {readBack ? (
        <section aria-label="What you propose">
          <p className="mb-3 text-ink-2">
            {other
              ? `${capital(other)} will read this. It applies from the day they agree${before ? '; until then, what you agreed before does' : ''}.`
              : 'This applies from today.'}
          </p>
          <div className="card p-4">
            <Sentences sentences={readBack} before={before} />
          </div>
        </section>
      ) : (
        <form id="terms" className="grid gap-4" noValidate onSubmit={(event) => void review(event)}>
          <TermsFieldset form={form} />
          <Live form={form} currency={currency} />
        </form>
      )}
    </FormDialog>
  )
}

/** What the form says so far. It stays as it was while something isn't complete. */
function Live({ form, currency }: { form: UseFormReturn<TermsFields>; currency: Currency }) {
  const fields = useWatch({ control: form.control }) as TermsFields
  const checked = Rules.safeParse(rulesOf(fields))
  const [said, setSaid] = useState<{ typed: string; sentences: readonly string[] }>()
  const typed = JSON.stringify(fields)
  if (checked.success && said?.typed !== typed)
    setSaid({ typed, sentences: sentencesOf(checked.data, currency) })
  return (
    <section className="rounded-md bg-sunken p-4" aria-labelledby="terms-say">
      <h3 id="terms-say" className="lab mb-1.5">
        What this says
      </h3>
      <div aria-live="polite">
        {said ? <Sentences sentences={said.sentences} /> : <p className="text-ink-2">Nothing yet.</p>}
      </div>
    </section>
  )
}
