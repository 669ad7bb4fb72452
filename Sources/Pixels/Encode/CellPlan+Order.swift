extension CellPlan {
    /// A candidate for the next cell of the plan. The number 0 means that no candidate was found.
    private struct Choice {
        var number: CellQueue.Node = 0
        var cost = Int32.max
        var drawing = CellDrawing()

        var isFree: Bool { number != 0 && drawing.isFree }
    }

    /// Adds all cells of the queue to the plan. After each cell, adds the cheapest of a few candidates: the next cell
    /// in row order and the nearest cells with a similar pair of colours. If each of these candidates must set a
    /// colour, the nearest cells with one similar colour become candidates too.
    ///
    /// A cursor move costs 1 to 8 bytes, and a colour 15 to 19 bytes. At most eight candidates are examined per cell.
    mutating func add(all queue: borrowing CellQueue) {
        if queue.isScattered { return addInRowOrder(queue) }
        var choice = Choice(number: queue.first, cost: 0)
        guard choice.number != 0 else { return }
        choice.drawing = cheapestDrawing(queue[choice.number])
        while choice.number != 0 {
            let number = choice.number
            let cell = queue[number]
            add(cell.position, cell.top, cell.bottom, choice.drawing)
            queue.remove(number)
            choice = best(after: number, CellPosition(row: cell.position.row, column: cell.position.column + 1), queue)
        }
    }

    private mutating func addInRowOrder(_ queue: borrowing CellQueue) {
        for number in 0..<queue.count {
            let cell = queue[CellQueue.Node(truncatingIfNeeded: number + 1)]
            add(cell.position, cell.top, cell.bottom, cheapestDrawing(cell))
        }
    }

    @inline(__always)
    private func cheapestDrawing(_ cell: CellQueue.Cell) -> CellDrawing {
        cheapestDrawing(cell.top, cell.bottom, cell.kind)
    }

    /// Returns the cheapest of the candidates that can follow cell `number` in the plan.
    /// - Parameter cursor: the position of the terminal's cursor in the picture.
    @inline(__always)
    private func best(
        after number: CellQueue.Node, _ cursor: CellPosition, _ queue: borrowing CellQueue
    ) -> Choice {
        var choice = Choice()
        consider(queue.next(number, CellQueue.rowOrderList), cursor, queue, &choice)
        if choice.cost <= 3 { return choice }
        consider(queue.next(number, CellQueue.pairList), cursor, queue, &choice)
        if choice.isFree { return choice }
        consider(queue.previous(number, CellQueue.pairList), cursor, queue, &choice)
        if choice.isFree { return choice }
        for list in CellQueue.topList...CellQueue.bottomList {
            consider(queue.next(number, list), cursor, queue, &choice)
            // If the best candidate costs at most 24 bytes, the previous cell in the list is rarely cheaper.
            if choice.cost > 24 { consider(queue.previous(number, list), cursor, queue, &choice) }
        }
        // A cost above 30 means that each candidate sets two colours, or that there is no candidate. Therefore the
        // first remaining cell becomes a candidate too. Adding it now can avoid a cursor move back to it.
        if choice.cost > 30 { consider(queue.first, cursor, queue, &choice) }
        return choice
    }

    /// Replaces `choice` with cell `number` if that cell costs less.
    @inline(__always)
    private func consider(
        _ number: CellQueue.Node, _ cursor: CellPosition, _ queue: borrowing CellQueue, _ choice: inout Choice
    ) {
        guard number != 0 else { return }
        let moveCost = CursorAddressing.estimate(from: cursor, to: queue[number].position)
        guard moveCost < choice.cost else { return }
        let drawing = cheapestDrawing(queue[number])
        let cost = moveCost + drawing.cost
        guard cost < choice.cost else { return }
        choice = Choice(number: number, cost: cost, drawing: drawing)
    }
}
