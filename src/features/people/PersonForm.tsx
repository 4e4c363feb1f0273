import type { ReactNode } from 'react'
import { type DefaultValues, type FieldValues, type Path, useForm, type UseFormReturn } from 'react-hook-form'
import type * as z from 'zod/mini'
import { useMe } from '#features/accounts/client.web.ts'
import { withDraft } from '#platform/ui/draft.web.ts'
import { useEntryForm } from '#platform/ui/entry-form.web.ts'
import { checkedBy } from '#platform/ui/form.web.ts'
import { FormBoundary } from '#platform/ui/FormBoundary.tsx'
import { FormButtons } from '#platform/ui/FormButtons.tsx'
import type { FormDialog } from '#platform/ui/FormDialog.tsx'
import type { FormPanel } from '#platform/ui/FormPanel.tsx'
import { type PeopleCalls, useSavePerson } from './client.web.ts'
import type { Noun, Person } from './person.ts'

interface PersonFormProps<Row extends Person, Fields extends FieldValues, Input> {
  noun: Noun
  /** The person to edit; undefined to add one. */
  person: Row | undefined
  /** Whether the form is in the page or on top of it. */
  Frame: typeof FormPanel | typeof FormDialog
  schema: z.ZodMiniType
  toInput: (fields: Fields) => Input
  values: Fields
  /** The fields that hold amounts. */
  amountFields?: readonly Path<Fields>[]
  calls: PeopleCalls<Row, Input>
  /** Called with the new person after they've been added. */
  onAdded?: (person: Row) => void
  onClose: () => void
  children: (form: UseFormReturn<Fields>) => ReactNode
}

/** Adds a person or edits the given one. Doesn't close until the person has been saved. */
export function PersonForm<Row extends Person, Fields extends FieldValues, Input>(
  props: PersonFormProps<Row, Fields, Input>,
) {
  const draft = `${props.noun.toLowerCase()}:${props.person?.id ?? 'new'}`
  return (
    <FormBoundary draft={draft}>
      <OpenForm draft={draft} {...props} />
    </FormBoundary>
  )
}

function OpenForm<Row extends Person, Fields extends FieldValues, Input>({
  draft,
  noun,
  person,
  Frame,
  schema,
  toInput,
  values,
  amountFields = [],
  calls,
  onAdded,
  onClose,
  children,
}: PersonFormProps<Row, Fields, Input> & { draft: string }) {
  const name = noun.toLowerCase()
  const id = `${name}-form`
  const { currency } = useMe()
  const save = useSavePerson(calls)
  const form = useForm<Fields>({
    resolver: checkedBy(schema, toInput, { currency, fields: amountFields }),
    defaultValues: withDraft(draft, values) as DefaultValues<Fields>,
  })
  const { submit, close, problem, isDirty } = useEntryForm(form, {
    draft,
    save: async (fields, idempotencyKey) => {
      const saved = await save.mutateAsync({ person, input: toInput(fields), idempotencyKey })
      if (!person) onAdded?.(saved)
    },
    onDone: onClose,
    success: `${noun} ${person ? 'updated' : 'added'} successfully`,
    failure: `Failed to ${person ? 'update' : 'add'} ${name}`,
  })
  return (
    <Frame
      title={person ? `Edit ${noun}` : `Add New ${noun}`}
      isDirty={isDirty}
      onClose={close}
      problem={problem}
      footer={
        <FormButtons
          form={id}
          label={`${person ? 'Update' : 'Add'} ${noun}`}
          isBusy={save.isPending}
          onCancel={close}
        />
      }
    >
      <form id={id} className="grid gap-4" onSubmit={submit} noValidate>
        {children(form)}
      </form>
    </Frame>
  )
}
