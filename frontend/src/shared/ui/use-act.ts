import { useEffect, useRef, useState } from "react";

interface ActState {
  isBusy: boolean;
  error: unknown;
}

const IDLE: ActState = { isBusy: false, error: null };

/**
 * What a dialog or a form does once somebody sends it: whether it is under way, and how it failed. Nothing follows from an act whose
 * dialog was closed or reset meanwhile.
 */
export function useAct<Given, Made>(act: (given: Given) => Promise<Made>, whenDone: (made: Made) => void) {
  const [state, setState] = useState(IDLE);
  const newest = useRef(0);
  useEffect(
    () => () => {
      newest.current += 1;
    },
    [],
  );
  const run = async (given: Given) => {
    newest.current += 1;
    const own = newest.current;
    setState({ isBusy: true, error: null });
    try {
      const made = await act(given);
      if (own !== newest.current) return;
      setState(IDLE);
      whenDone(made);
    } catch (error) {
      if (own === newest.current) setState({ isBusy: false, error });
    }
  };
  const reset = () => {
    newest.current += 1;
    setState(IDLE);
  };
  return { ...state, run: (given: Given) => void run(given), reset };
}
