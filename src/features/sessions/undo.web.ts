// Deleting sessions and taking them back. What the other side never took part in goes at once, with Undo; for
// anything else, the other side is asked.
import { useContext } from 'react'
import { useSide } from '#features/accounts/client.web.ts'
import { asksToDelete } from '#features/agreements/answer.ts'
import { refreshed } from '#features/agreements/client.web.ts'
import { inOneLine } from '#kernel/isolate.ts'
import { call, CallFailed } from '#platform/api.web.ts'
import { deleteLater } from '#platform/delete-later.web.ts'
import { useToast } from '#platform/ui/Toast.tsx'
import { AskDeletion, sessionAnswers } from './client.web.ts'
import { DeleteSession, ReadSession, type Session } from './session.ts'
import { capital, otherSide, sessionLine } from './standing-text.ts'

const FAILED = ['Error', 'Failed to delete session'] as const
const codeOf = (error: unknown) => (error instanceof CallFailed ? error.problem.code : undefined)

/** The session as it is now. Undefined if it's gone. */
async function readNow({ id }: Session): Promise<Session | undefined> {
  try {
    return await call(ReadSession, {}, { id })
  } catch (error) {
    if (codeOf(error) === 'not_found') return undefined
    throw error
  }
}

/** What was saved along with a session. */
export interface Said {
  words: string | undefined
  undo: () => Promise<unknown>
}

export function useSessionUndo() {
  const toast = useToast()
  const reader = useSide()
  const askDeletion = useContext(AskDeletion)
  const otherOf = (session: Session) => otherSide(reader, session.tutor_name)

  const onFailed = async (session: Session, error: unknown) => {
    const code = codeOf(error)
    if (code === 'month_closed')
      return toast.error('Not deleted', error instanceof CallFailed ? error.problem.title : undefined, {
        action: { label: 'Delete', run: () => void remove(session) },
      })
    if (code !== 'changed') return code === 'not_found' ? undefined : toast.error(...FAILED)
    const now = await readNow(session).catch(() => session)
    if (!now) return
    if (!asksToDelete(now))
      return toast.error('Not deleted', 'The session was changed in the meantime. Please check it again.')
    toast.error('Not deleted', `${capital(otherOf(now))} answered in the meantime.`, {
      action: { label: 'Ask to delete', run: () => askDeletion(now) },
    })
  }

  /** Deletes a session, with Undo. The server refuses if the other side has answered by then. */
  const removeLater = (session: Session) =>
    deleteLater(toast, {
      ids: [session.id],
      title: 'Session deleted successfully',
      message: sessionLine(session),
      send: (options) =>
        call(DeleteSession, {}, { id: session.id, version: session.version, isSilent: true, ...options }),
      onFailed: (error) => onFailed(session, error),
    })

  /** Deletes a session now or, if the other side took part in it, asks that side. Returns whether it worked. */
  const remove = async (session: Session): Promise<boolean> => {
    try {
      const asked = await refreshed(call(DeleteSession, {}, { id: session.id }))
      if (!asked) toast.success('Session deleted successfully')
      else
        toast.success('Deletion requested', `It stays in both logs until ${otherOf(session)} agrees.`, {
          label: 'Keep it',
          run: () =>
            void sessionAnswers.keep({ id: session.id, version: asked.version }).then(
              () => toast.success('Session kept'),
              () => toast.error('Error', 'This could not be undone'),
            ),
        })
      return true
    } catch {
      toast.error(...FAILED)
      return false
    }
  }

  /** Deletes sessions that were just logged. Those that the other side answered by then are asked about. */
  const takeBack = async (sessions: readonly Session[]) => {
    let asks: Session | undefined
    for (const logged of sessions) {
      let session: Session | undefined = logged
      // Whatever happened to it since, it's only deleted as it's known.
      for (let isGone = false; session && !isGone && !asksToDelete(session);)
        try {
          await call(DeleteSession, {}, { id: session.id, version: session.version })
          isGone = true
        } catch (error) {
          if (codeOf(error) === 'not_found') isGone = true
          else if (codeOf(error) === 'changed') session = await readNow(session)
          else throw error
        }
      if (session && asksToDelete(session)) asks ??= session
    }
    if (asks) askDeletion(asks)
    else toast.success('Undone')
  }

  const undoLogged = (sessions: readonly Session[]) =>
    refreshed(takeBack(sessions)).catch(() => toast.error(...FAILED))

  /** Says that sessions were added, which ones and what along with them, and how to take that back. */
  const tellLogged = (sessions: readonly Session[], said?: Said) => {
    const [only, ...others] = sessions
    toast.success(
      others.length > 0 ? `${sessions.length} sessions added successfully` : 'Session added successfully',
      only && others.length === 0 ? inOneLine([sessionLine(only), said?.words]) : undefined,
      { label: 'Undo', run: () => void (said?.undo() ?? Promise.resolve()).then(() => undoLogged(sessions)) },
    )
  }

  return { removeLater, remove, undoLogged, tellLogged }
}
