import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import type { WhichRows } from '#kernel/archived.ts'
import { queryClient } from '#platform/query.web.ts'
import { Badge } from '#platform/ui/Badge.tsx'
import { withDraft } from '#platform/ui/draft.web.ts'
import { useEntryForm } from '#platform/ui/entry-form.web.ts'
import { TextArea } from '#platform/ui/Field.tsx'
import { inFormBoundary } from '#platform/ui/FormBoundary.tsx'
import { FormButtons } from '#platform/ui/FormButtons.tsx'
import { FormDialog } from '#platform/ui/FormDialog.tsx'
import type { PeopleCalls } from './client.web.ts'
import { MOST_AT_ONCE, namesIn } from './name-list.ts'
import { LONGEST_NAME, type Noun, type Person, PLURALS } from './person.ts'

interface AddSeveralDialogProps {
  noun: Noun
  usePeople: (which: WhichRows) => { data: readonly Person[] | undefined }
  addSeveral: PeopleCalls<Person, unknown>['addSeveral']
  onClose: () => void
}

/** Adds several people from names that were typed or pasted. A preview first shows who will be added. */
export const AddSeveralDialog = inFormBoundary(NamesForm, draftOf)

function draftOf({ noun }: AddSeveralDialogProps): string {
  return `${PLURALS[noun]}:several`
}

function NamesForm(props: AddSeveralDialogProps) {
  const { noun, usePeople, addSeveral, onClose } = props
  const draft = draftOf(props)
  const plural = PLURALS[noun]
  const known = (usePeople('all').data ?? []).map(({ name }) => name)
  const form = useForm({ defaultValues: withDraft(draft, { text: '' }) })
  const text = useWatch({ control: form.control, name: 'text' })
  const { names, repeated } = namesIn(text, known, LONGEST_NAME)
  /** Checkboxes the user has changed from their default. */
  const [ticked, setTicked] = useState(new Map<string, boolean>())
  const isTicked = ({ name, isKnown, isTooLong }: (typeof names)[number]) =>
    !isTooLong && (ticked.get(name) ?? !isKnown)
  const chosen = names.filter(isTicked).map(({ name }) => name)
  const count = `${chosen.length} ${plural}`
  const { mutateAsync, isPending } = useMutation({
    mutationFn: (idempotencyKey: string) => addSeveral(chosen, idempotencyKey),
    onSuccess: () => queryClient.invalidateQueries(),
  })
  const { submit, close, problem, isDirty } = useEntryForm(form, {
    draft,
    save: (_fields, idempotencyKey) => mutateAsync(idempotencyKey),
    onDone: onClose,
    success: chosen.length === 1 ? `${chosen[0]} added` : `${count} added`,
    failure: `Failed to add ${plural}`,
  })
  const blocked =
    chosen.length > MOST_AT_ONCE
      ? `At most ${MOST_AT_ONCE} can be added at once.`
      : chosen.length === 0 && names.length > 0
        ? "There's no one new to add."
        : undefined
  return (
    <FormDialog
      title={`Add several ${plural}`}
      isDirty={isDirty}
      onClose={close}
      problem={problem}
      footer={
        <FormButtons
          form="names-form"
          label={chosen.length > 0 ? `Add ${count}` : `Add ${plural}`}
          isBusy={isPending}
          busyText="Adding..."
          blockedReason={names.length === 0 ? '' : blocked}
          onCancel={close}
        />
      }
    >
      <form id="names-form" className="grid gap-4" onSubmit={submit} noValidate>
        <TextArea
          label="Names"
          rows={6}
          autoComplete="off"
          spellCheck={false}
          help="One per line, or separated by commas"
          {...form.register('text')}
        />
        {names.length > 0 && (
          <fieldset>
            <legend className="lab" aria-live="polite">
              {chosen.length === 1 ? '1 name' : `${chosen.length} names`} to add
            </legend>
            <ul className="card list mt-2">
              {names.map((one) => (
                <li key={one.name}>
                  <label className="flex min-h-11 items-center gap-3 px-4 py-2">
                    <input
                      type="checkbox"
                      className="size-5 shrink-0 accent-accent"
                      checked={isTicked(one)}
                      disabled={one.isTooLong}
                      onChange={(event) => setTicked(new Map(ticked).set(one.name, event.target.checked))}
                    />
                    <span className="line-clamp-2 min-w-0 flex-1 [overflow-wrap:anywhere]">{`${one.name} `}</span>
                    {one.isKnown && <Badge tone="warn">On your list</Badge>}
                    {one.isTooLong && <Badge tone="danger">Over {LONGEST_NAME} characters</Badge>}
                  </label>
                </li>
              ))}
            </ul>
            {repeated.length > 0 && (
              <p className="help mt-2">
                {repeated.length === 1 ? `${repeated[0]} is` : `${repeated.join(', ')} are`} in the text more
                than once, and will be added once.
              </p>
            )}
          </fieldset>
        )}
      </form>
    </FormDialog>
  )
}
