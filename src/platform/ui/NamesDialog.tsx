import { useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { namesIn } from '#kernel/name-list.ts'
import { Badge } from './Badge.tsx'
import { Button } from './Button.tsx'
import { withDraft } from './draft.web.ts'
import { useEntryForm } from './entry-form.web.ts'
import { TextArea } from './Field.tsx'
import { FormBoundary } from './FormBoundary.tsx'
import { FormDialog } from './FormDialog.tsx'

interface NamesDialogProps {
  /** Plural noun for the people being added, such as "children". */
  plural: string
  /** Names already on the list. */
  known: readonly string[]
  longest: number
  most: number
  /** Adds either all of the names or none of them. */
  add: (names: string[], idempotencyKey: string) => Promise<unknown>
  isBusy: boolean
  onClose: () => void
}

/** Adds several people from names that were typed or pasted. A preview first shows who will be added. */
export function NamesDialog(props: NamesDialogProps) {
  const draft = `${props.plural}:several`
  return (
    <FormBoundary draft={draft}>
      <NamesForm draft={draft} {...props} />
    </FormBoundary>
  )
}

function NamesForm({
  draft,
  plural,
  known,
  longest,
  most,
  add,
  isBusy,
  onClose,
}: NamesDialogProps & { draft: string }) {
  const form = useForm({ defaultValues: withDraft(draft, { text: '' }) })
  const { names, repeated } = namesIn(useWatch({ control: form.control, name: 'text' }), known, longest)
  /** Checkboxes the user has changed from their default. */
  const [ticked, setTicked] = useState(new Map<string, boolean>())
  const isTicked = ({ name, isKnown, isTooLong }: (typeof names)[number]) =>
    !isTooLong && (ticked.get(name) ?? !isKnown)
  const chosen = names.filter(isTicked).map(({ name }) => name)
  const count = `${chosen.length} ${plural}`
  const { submit, close, problem, isDirty } = useEntryForm(form, {
    draft,
    save: (_fields, idempotencyKey) => add(chosen, idempotencyKey),
    onDone: onClose,
    success: chosen.length === 1 ? `${chosen[0]} added` : `${count} added`,
    failure: `Failed to add ${plural}`,
  })
  const blocked =
    chosen.length > most
      ? `At most ${most} can be added at once.`
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
        <>
          <Button tone="secondary" onClick={close}>
            Cancel
          </Button>
          <Button
            type="submit"
            form="names-form"
            className="flex-1"
            busy={isBusy}
            busyText="Adding..."
            blockedReason={names.length === 0 ? '' : blocked}
          >
            {chosen.length > 0 ? `Add ${count}` : `Add ${plural}`}
          </Button>
        </>
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
                    {one.isTooLong && <Badge tone="danger">Over {longest} characters</Badge>}
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
