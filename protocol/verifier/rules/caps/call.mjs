export const callWins = () => { throw new Error("not implemented"); };
