import { type ReactNode, useState } from 'react'
import { useChargesBeside } from '#features/charges/client.web.ts'
import { ChargesBesideList } from '#features/charges/ChargesBesideList.tsx'
import AddSessionPage from '#features/sessions/AddSessionPage.tsx'
import { learnNames } from '#features/voice/client.web.ts'
import { type HeardPeople, namesFrom } from '#features/voice/learned-name.ts'
import { late } from '#platform/ui/late.tsx'

const VoiceTab = late(async () => (await import('#features/voice/VoiceTab.tsx')).default)
const NextTimeList = late(async () => (await import('#features/voice/NextTimeList.tsx')).NextTimeList)
const NOTHING_BESIDE = { words: undefined, undo: async () => undefined }

/**
 * Adds a session by voice or by hand, along with the charges and the payment that were said with it. Learns the names in it.
 */
export default function AddSessionScreen({ ownRate }: { ownRate: ReactNode }) {
  const { charges, keep, save } = useChargesBeside()
  const [heard, setHeard] = useState<HeardPeople>()
  const hasCharges = charges.length > 0
  return (
    <AddSessionPage
      ownRate={ownRate}
      voice={({ onUse, ...tab }) => (
        <VoiceTab
          {...tab}
          onUse={(fields, said, names) => {
            keep(said)
            setHeard(names)
            onUse(fields)
          }}
        />
      )}
      beside={
        !hasCharges && !heard
          ? undefined
          : {
              shown: (fields) => (
                <>
                  {heard && <NextTimeList heard={heard} fields={fields} onChange={setHeard} />}
                  {hasCharges && (
                    <ChargesBesideList
                      charges={charges}
                      onRemove={(charge) => keep(charges.filter((one) => one !== charge))}
                    />
                  )}
                </>
              ),
              save: async (of, isWaiting) => {
                if (heard) void learnNames(namesFrom(heard, of))
                return hasCharges ? save(of, isWaiting) : NOTHING_BESIDE
              },
              forget: () => {
                keep([])
                setHeard(undefined)
              },
            }
      }
    />
  )
}
