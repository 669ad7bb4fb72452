extension CellPlan {
    /// The cell that comes next, as far as is known.
    private struct Choice {
        var number: CellQueue.Node = 0
        var cost = Int32.max
        var offer = CellOffer()

        var isFree: Bool { number != 0 && offer.isFree }
    }

    /// Adds all that wait, each time what costs least of a few: the next cell in the order of rows, the nearest
    /// ones of like colours, and, where all those need a colour, the nearest that share one.
    ///
    /// A way costs 1 to 8 bytes, a colour 15 to 18. The whole costs no more than eight looks for each cell.
    mutating func add(all queue: borrowing CellQueue) {
        if queue.isScattered { return addInOrder(queue) }
        var choice = Choice(number: queue.first, cost: 0)
        guard choice.number != 0 else { return }
        choice.offer = offer(queue[choice.number])
        while choice.number != 0 {
            let number = choice.number
            let cell = queue[number]
            add(cell.place, cell.top, cell.bottom, choice.offer)
            queue.remove(number)
            choice = best(after: number, CellPlace(row: cell.place.row, column: cell.place.column + 1), queue)
        }
    }

    /// Adds all in the order of rows.
    private mutating func addInOrder(_ queue: borrowing CellQueue) {
        for number in 0..<queue.count {
            let cell = queue[CellQueue.Node(truncatingIfNeeded: number + 1)]
            add(cell.place, cell.top, cell.bottom, offer(cell))
        }
    }

    @inline(__always)
    private func offer(_ cell: CellQueue.Cell) -> CellOffer { offer(cell.top, cell.bottom, cell.kind) }

    /// - Parameter cursor: where it stands.
    @inline(__always)
    private func best(
        after number: CellQueue.Node, _ cursor: CellPlace, _ queue: borrowing CellQueue
    ) -> Choice {
        var choice = Choice()
        consider(queue.next(number, CellQueue.inOrder), cursor, queue, &choice)
        if choice.cost <= 3 { return choice }
        consider(queue.next(number, CellQueue.ofPair), cursor, queue, &choice)
        if choice.isFree { return choice }
        consider(queue.previous(number, CellQueue.ofPair), cursor, queue, &choice)
        if choice.isFree { return choice }
        for list in CellQueue.ofTop...CellQueue.ofBottom {
            consider(queue.next(number, list), cursor, queue, &choice)
            // The way back is as long as the way on, and seldom better than a near one.
            if choice.cost > 24 { consider(queue.previous(number, list), cursor, queue, &choice) }
        }
        // Two colours: what was passed over at the top is as good, and would be a far way at the end.
        if choice.cost > 30 { consider(queue.first, cursor, queue, &choice) }
        return choice
    }

    /// Takes a cell where it costs less than what was found so far.
    @inline(__always)
    private func consider(
        _ number: CellQueue.Node, _ cursor: CellPlace, _ queue: borrowing CellQueue, _ choice: inout Choice
    ) {
        guard number != 0 else { return }
        let way = CursorAddressing.estimate(from: cursor, to: queue[number].place)
        guard way < choice.cost else { return }
        let offer = offer(queue[number])
        let cost = way + offer.cost
        guard cost < choice.cost else { return }
        choice = Choice(number: number, cost: cost, offer: offer)
    }
}
