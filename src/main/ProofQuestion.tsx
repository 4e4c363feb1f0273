import { useEffect, useState } from 'react'
import { whenRefused } from '#platform/api.web.ts'
import { late } from '#platform/ui/late.tsx'

const ProofDialog = late(async () => (await import('#features/accounts/ProofDialog.tsx')).ProofDialog)

/**
 * When a call needs a proof that it's really you, asks for it. After that, platform/api.web.ts sends the call
 * again.
 */
export function ProofQuestion() {
  const [answer, setAnswer] = useState<(isProven: boolean) => void>()
  useEffect(() => {
    // One proof counts for all calls that wait for it.
    let asked: Promise<boolean> | undefined
    const ask = () =>
      new Promise<boolean>((resolve) => {
        setAnswer(() => (isProven: boolean) => {
          setAnswer(undefined)
          asked = undefined
          resolve(isProven)
        })
      })
    return whenRefused('sign_in_again', () => (asked ??= ask()))
  }, [])
  return answer && <ProofDialog onDone={answer} />
}
