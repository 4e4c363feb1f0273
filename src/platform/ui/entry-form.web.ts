// Shared by all forms that add or change an entry: they keep a draft, save once, report the result, and close
// only on success.
import { useState } from 'react'
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form'
import { newId } from '#kernel/id.ts'
import { forgetDraft, readDraft, useDraft } from './draft.web.ts'
import { failureText, fieldErrorsOf, isSignedOut } from './form.web.ts'
import { useToast } from './Toast.tsx'

interface Entry<Fields> {
  /** Name of the draft; each entry has its own. */
  draft: string
  /** Sends the form. A retry uses the same key. */
  save: (fields: Fields, idempotencyKey: string) => Promise<unknown>
  success: string
  failure: string
  /** Closes the form. */
  onDone: () => void
}

/**
 * Connects a form with the entry it adds or changes. `close` also deletes the draft. `isDirty` is also true
 * if the form was filled in from a draft.
 */
export function useEntryForm<Fields extends FieldValues>(
  form: UseFormReturn<Fields>,
  { draft, save, success, failure, onDone }: Entry<Fields>,
) {
  const toast = useToast()
  const { problem, fail, clear } = useFailure((field) => field in form.getValues())
  const [idempotencyKey] = useState(newId)
  const [hadDraft] = useState(() => readDraft(draft) !== undefined)
  useDraft(draft, form)
  const close = () => {
    forgetDraft(draft)
    onDone()
  }
  const submit = form.handleSubmit(async (fields) => {
    clear()
    try {
      await save(fields, idempotencyKey)
      toast.success(success)
      close()
    } catch (error) {
      // Shows an error in a list item at the list's field.
      for (const { field, message } of fieldErrorsOf(error))
        form.setError(field.split('.')[0] as Path<Fields>, { message })
      fail(error, failure)
    }
  })
  return { submit, close, problem, isDirty: form.formState.isDirty || hadDraft }
}

/**
 * Reports that a form couldn't be sent, in a toast and in the form. The reason stays in the form until the
 * next attempt.
 */
export function useFailure(hasField: (name: string) => boolean = () => true) {
  const toast = useToast()
  const [problem, setProblem] = useState<string>()
  return {
    problem,
    clear: () => setProblem(undefined),
    /** @param message what failed, for the user */
    fail(error: unknown, message: string): void {
      // The sign-in page explains what happened and says that the draft is kept.
      if (isSignedOut(error)) return
      setProblem(failureText(error, hasField))
      toast.error('Error', message, { isAtForm: true })
    },
  }
}
