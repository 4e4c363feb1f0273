// Shared by all forms that add or change an entry. They keep a draft, save once, report the result, and close
// only on success.
import { useState } from 'react'
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form'
import { newId } from '#kernel/id.ts'
import { problemTitle } from '#platform/api.web.ts'
import { forgetDraft, readDraft, useDraft } from './draft.web.ts'
import { failureText, fieldErrorsOf, isSignedOut } from './form.web.ts'
import { type Toasts, useToast } from './Toast.tsx'

interface Entry<Fields, Saved> {
  /** The draft's name. Each entry has its own draft. */
  draft: string
  /** Sends the form. A retry uses the same idempotency key. */
  save: (fields: Fields, idempotencyKey: string) => Promise<Saved>
  /** The toast, if it doesn't depend on what was saved. */
  success: string | ((saved: Saved) => Parameters<Toasts['success']>)
  failure: string
  onDone: () => void
  /** Called instead of onDone after saving, if the form may stay open for another entry. */
  onSaved?: () => void
}

/**
 * Connects a form to the entry it adds or changes. `close` also deletes the draft. `isDirty` is also true
 * when the form was filled in from a draft.
 */
export function useEntryForm<Fields extends FieldValues, Saved>(
  form: UseFormReturn<Fields>,
  { draft, save, success, failure, onDone, onSaved = onDone }: Entry<Fields, Saved>,
) {
  const toast = useToast()
  const { problem, fail, clear } = useFailure((field) => field in form.getValues())
  const [idempotencyKey, setIdempotencyKey] = useState(newId)
  const [hadDraft] = useState(() => readDraft(draft) !== undefined)
  useDraft(draft, form)
  const close = () => {
    forgetDraft(draft)
    onDone()
  }
  const submit = form.handleSubmit(async (fields) => {
    clear()
    try {
      const saved = await save(fields, idempotencyKey)
      const [title, text, action] = typeof success === 'string' ? [success] : success(saved)
      toast.success(title, text, action)
      setIdempotencyKey(newId())
      forgetDraft(draft)
      onSaved()
    } catch (error) {
      // If an item in a list has an error, shows it on the list's field.
      for (const { field, message } of fieldErrorsOf(error))
        form.setError(field.split('.')[0] as Path<Fields>, { message })
      fail(error, failure)
    }
  })
  return { submit, close, problem, isDirty: form.formState.isDirty || hadDraft }
}

/**
 * Shows a toast and a message in the form if the form couldn't be submitted. The message gives the reason and
 * stays until the next attempt.
 */
export function useFailure(hasField: (name: string) => boolean = () => true) {
  const toast = useToast()
  const [problem, setProblem] = useState<string>()
  return {
    problem,
    clear: () => setProblem(undefined),
    /** @param message tells the user what failed */
    fail(error: unknown, message: string): void {
      // The sign-in page tells the user what happened and that the draft was kept.
      if (isSignedOut(error)) return
      setProblem(failureText(error, hasField))
      toast.error('Error', message, { isAtForm: true })
    },
  }
}

interface SignIn<Fields> {
  save: (fields: Fields) => Promise<unknown>
  /** The toast's title and text, unless what happens next says enough. */
  success?: [string, string]
  failure: string
  onDone: () => void
}

/** Submits a form that changes how someone signs in. It reports only failures that no field shows. */
export function useSignInForm<Fields extends FieldValues>(
  form: UseFormReturn<Fields>,
  { save, success, failure, onDone }: SignIn<Fields>,
) {
  const toast = useToast()
  const { problem, fail, clear } = useFailure()
  const submit = form.handleSubmit(async (fields) => {
    clear()
    try {
      await save(fields)
      if (success) toast.success(...success)
      onDone()
    } catch (error) {
      const found = fieldErrorsOf(error)
      for (const { field, message } of found)
        form.setError(field as Path<Fields>, { message }, { shouldFocus: true })
      if (found.length === 0) fail(error, problemTitle(error, failure))
    }
  })
  return { submit, problem, isDirty: form.formState.isDirty }
}
